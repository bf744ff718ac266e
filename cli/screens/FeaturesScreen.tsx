import { Box, Text } from 'ink'
import { useRef, useState } from 'react'
import { type FeatureName, type Features, featureNames } from '#db/feature/schema.ts'
import { featureTexts } from '#db/feature/texts.ts'
import { sentencesOf } from '../exit-code.ts'
import { KeyHints } from '../ui/KeyHints.tsx'
import { useKeys } from '../ui/keys.ts'
import { LabelledTexts } from '../ui/LabelledTexts.tsx'
import { useListening } from '../ui/use-listening.ts'

const LABEL_WIDTH = 21

const helpTexts: [string, string][] = [
  ['↑ ↓, k j', 'one feature up or down'],
  ['Space, Enter', 'switch it on or off, which is stored at once'],
  ['?', 'show these keys, or not'],
  ['q, Esc', 'quit'],
]

type Props = {
  features: Features
  change: (change: Partial<Features>) => Promise<Features>
  onQuit: () => void
}

/** Three switches that take effect at once, until the user quits. */
export function FeaturesScreen({ features: stored, change, onQuit }: Props) {
  const [opened] = useState({})
  const { listening, hears, notHeard } = useListening(opened)
  const [features, setFeatures] = useState(stored)
  const [cursor, setCursor] = useState(0)
  const [notice, setNotice] = useState(' ')
  const [helps, setHelps] = useState(false)
  // The state while keys that arrived together are handled, and the changes that are not stored yet.
  const now = useRef({ cursor: 0, features: stored, storing: Promise.resolve() })

  function move(by: number) {
    now.current.cursor = Math.max(0, Math.min(featureNames.length - 1, now.current.cursor + by))
    setCursor(now.current.cursor)
  }

  async function toggle(name: FeatureName) {
    try {
      now.current.features = await change({ [name]: !now.current.features[name] })
      setFeatures(now.current.features)
      setNotice('Feature settings have been saved successfully.')
    } catch (error) {
      setNotice(sentencesOf(error).join(' '))
    }
  }

  useKeys(({ key }) => {
    if (!hears(opened) && key !== 'escape') return notHeard()
    const { cursor, storing } = now.current
    const name = featureNames[cursor]
    if (key === 'up' || key === 'k') move(-1)
    else if (key === 'down' || key === 'j') move(1)
    else if ((key === ' ' || key === 'enter') && name !== undefined)
      now.current.storing = storing.then(() => toggle(name))
    else if (key === '?') setHelps((helped) => !helped)
    else if (key === 'q' || key === 'escape') storing.then(onQuit)
  }, notHeard)

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
      {helps && <LabelledTexts texts={helpTexts} />}
      <Text>{notice}</Text>
      {listening ? <KeyHints keys={{ '↑↓': 'move', space: 'switch', '?': 'keys', q: 'quit' }} /> : <Text> </Text>}
    </Box>
  )
}
