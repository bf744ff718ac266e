import type { EventContent } from '#db/event/content.ts'

/** Whether both have the same texts. One that is left out is an empty one. */
export function isSame(one: EventContent | null, other: EventContent | null): boolean {
  if (one === null || other === null) return one === other
  const names = Object.keys({ ...one, ...other })
  return names.every((name) => (Reflect.get(one, name) ?? '') === (Reflect.get(other, name) ?? ''))
}
