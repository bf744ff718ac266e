import { useStore } from '@nanostores/react'
import { type FeatureName, type Features, featureNames } from '#db/feature/schema.ts'
import { useQuery } from '#site/lib/use-query.ts'
import { $features, $featuresQuery, changeFeature } from '#site/stores/features.ts'
import { LoadFailed } from '#site/ui/LoadFailed.tsx'
import { LoadingText } from '#site/ui/LoadingText.tsx'
import { Panel } from '#site/ui/Panel.tsx'
import { Switch } from '#site/ui/Switch.tsx'

const texts: Record<FeatureName, { label: string; description: string }> = {
  calendarIntegration: {
    label: 'Calendar Integration',
    description: 'Allow attendees to add the event to their calendar',
  },
  familyRsvp: { label: 'Family RSVP', description: 'Enable RSVP for multiple family members' },
  volunteerSignup: { label: 'Volunteer Signup', description: 'Allow attendees to sign up for volunteer roles' },
}

/** Three switches that take effect at once. */
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
            {...texts[name]}
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
