import { isolated } from './texts.ts'

/** Names beside each other, each of which runs as its own letters do. */
export function isolatedList(names: string[]): string {
  return names.map(isolated).join(', ')
}
