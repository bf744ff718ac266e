import { Box, Text, useInput } from 'ink'
import { useState } from 'react'
import { type FeatureName, type Features, featureNames } from '#db/feature/schema.ts'
import { featureTexts } from '#db/feature/texts.ts'
import { sentencesOf } from '../exit-code.ts'
import { draw } from '../ui/draw.tsx'
import { KeyHints } from '../ui/KeyHints.tsx'

const LABEL_WIDTH = 21

type Props = { features: Features; change: (change: Partial<Features>) => Promise<Features> }

/** Three switches that take effect at once, until somebody leaves. */
export async function showFeatures(props: Props, signal: AbortSignal): Promise<void> {
  await draw<void>((done) => <FeaturesScreen {...props} onQuit={done} />, { signal })
}

export function FeaturesScreen({ features: stored, change, onQuit }: Props & { onQuit: () => void }) {
  const [features, setFeatures] = useState(stored)
  const [cursor, setCursor] = useState(0)
  const [notice, setNotice] = useState(' ')

  async function toggle(name: FeatureName) {
    try {
      setFeatures(await change({ [name]: !features[name] }))
      setNotice('Feature settings have been saved successfully.')
    } catch (error) {
      setNotice(sentencesOf(error).join(' '))
    }
  }

  useInput((input, key) => {
    const name = featureNames[cursor]
    if (key.upArrow || input === 'k') setCursor(Math.max(0, cursor - 1))
    else if (key.downArrow || input === 'j') setCursor(Math.min(featureNames.length - 1, cursor + 1))
    else if ((input === ' ' || key.return) && name !== undefined) toggle(name)
    else if (input === 'q' || key.escape) onQuit()
  })

  return (
    <Box flexDirection="column">
      <Text bold>Features Settings</Text>
      {featureNames.map((name, position) => (
        <Box key={name} gap={1}>
          <Text>{position === cursor ? '›' : ' '}</Text>
          <Text color={features[name] ? 'green' : undefined}>{features[name] ? '[on] ' : '[off]'}</Text>
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
