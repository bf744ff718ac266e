import { Text } from 'ink'

/** The keys that work now, e.g. `space select  d delete`. */
export function KeyHints({ keys }: { keys: Record<string, string> }) {
  return (
    <Text dimColor wrap="truncate-end">
      {Object.entries(keys)
        .map(([key, meaning]) => `${key} ${meaning}`)
        .join('  ')}
    </Text>
  )
}
