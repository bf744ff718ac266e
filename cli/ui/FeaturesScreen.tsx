import { Box, Text } from 'ink'
import { useRef } from 'react'
import { type FeatureName, type Features, featureNames } from '#db/values/features.ts'
import { featureTexts } from '#db/values/titles.ts'
import { sentencesOf } from '../errors.ts'
import { KeyHints, useKeyState, useKeys } from './keys.tsx'

const LABEL_WIDTH = 21

type Props = {
  features: Features
  change: (change: Partial<Features>) => Promise<Features>
  onEnd: () => void
}

/** Three switches that take effect at once, until the user quits. */
export function FeaturesScreen({ features: stored, change, onEnd }: Props) {
  const { state, get, change: set } = useKeyState(() => ({ cursor: 0, features: stored, notice: ' ' }))
  const { cursor, features, notice } = state
  const storing = useRef(Promise.resolve())

  async function toggle(name: FeatureName) {
    try {
      const features = await change({ [name]: !get().features[name] })
      set({ features, notice: 'Feature settings have been saved successfully.' })
    } catch (error) {
      set({ notice: sentencesOf(error).join(' ') })
    }
  }

  useKeys((key) => {
    const { cursor } = get()
    const name = featureNames[cursor]
    if (key === 'up') set({ cursor: Math.max(0, cursor - 1) })
    else if (key === 'down') set({ cursor: Math.min(featureNames.length - 1, cursor + 1) })
    else if ((key === ' ' || key === 'enter') && name !== undefined)
      storing.current = storing.current.then(() => toggle(name))
    else if (key === 'q' || key === 'escape') storing.current.then(onEnd)
  })

  return (
    <Box flexDirection="column">
      <Text bold>Features Settings</Text>
      {featureNames.map((name, position) => (
        <Box key={name} gap={1}>
          <Box flexShrink={0} gap={1}>
            <Text>{position === cursor ? '›' : ' '}</Text>
            <Text color={features[name] ? 'green' : undefined}>{features[name] ? '[on] ' : '[off]'}</Text>
          </Box>
          <Box width={LABEL_WIDTH} flexShrink={0}>
            <Text bold={position === cursor}>{featureTexts[name].label}</Text>
          </Box>
          <Text dimColor wrap="truncate-end">
            {featureTexts[name].description}
          </Text>
        </Box>
      ))}
      <Text>{notice}</Text>
      <KeyHints keys={{ '↑↓': 'move', space: 'switch', q: 'quit' }} />
    </Box>
  )
}
