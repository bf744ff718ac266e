import { useStore } from '@nanostores/react'
import { type Features, featureNames } from '#db/feature/schema.ts'
import { featureTexts } from '#db/feature/texts.ts'
import { useQuery } from '#site/lib/hooks/use-query.ts'
import { $features, changeFeature } from '#site/stores/admin/features.ts'
import { $featuresQuery } from '#site/stores/features.ts'
import { LoadFailed } from '#site/ui/LoadFailed.tsx'
import { LoadingText } from '#site/ui/LoadingText.tsx'
import { Panel } from '#site/ui/Panel.tsx'
import { Switch } from '#site/ui/Switch.tsx'

/** A switch for each feature, which takes effect at once. */
export function SettingsPanel({ rendered }: { rendered: Features | null }) {
  const changed = useStore($features)
  const { data, error } = useQuery(rendered, $featuresQuery)
  const features = changed ?? data

  return (
    <Panel title="Features Settings">
      {features &&
        featureNames.map((name) => (
          <Switch
            key={name}
            {...featureTexts[name]}
            name={name}
            checked={features[name]}
            onChange={(enabled) => changeFeature(features, name, enabled)}
          />
        ))}
      {!features && !error && <LoadingText>Loading settings...</LoadingText>}
      {!features && error !== undefined && (
        <LoadFailed onRetry={$featuresQuery.reload}>The settings could not be loaded.</LoadFailed>
      )}
    </Panel>
  )
}
