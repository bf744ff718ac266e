import { Text, useWindowSize } from 'ink'

const GAP = '  '

/** The keys that work now, e.g. `space select  d delete`: as many as fit whole, the most important first. */
export function KeyHints({ keys }: { keys: Record<string, string> }) {
  const { columns } = useWindowSize()
  const hints = Object.entries(keys).map(([key, meaning]) => `${key} ${meaning}`)
  while (hints.join(GAP).length > columns) hints.pop()
  return (
    <Text dimColor wrap="truncate-end">
      {hints.join(GAP)}
    </Text>
  )
}
