import { type Features, featureNames } from '#db/feature/schema.ts'
import { featureTexts } from '#db/feature/texts.ts'
import { useChangeable } from '#site/lib/hooks/use-changeable.ts'
import { changeFeature, features } from '#site/stores/admin/features.ts'
import { said } from '#site/texts/said.ts'
import { t } from '#site/texts/texts.ts'
import { LoadFailed } from '#site/ui/LoadFailed.tsx'
import { LoadingText } from '#site/ui/LoadingText.tsx'
import { Panel } from '#site/ui/Panel.tsx'
import { Switch } from '#site/ui/Switch.tsx'

/** A switch for each feature, which takes effect at once. */
export function SettingsPanel({ rendered }: { rendered: Features | null }) {
  const { data, error } = useChangeable(rendered, features)

  return (
    <Panel title={t('Features Settings')}>
      {data &&
        featureNames.map((name) => (
          <Switch
            key={name}
            label={said(featureTexts[name].label)}
            description={said(featureTexts[name].description)}
            name={name}
            checked={data[name]}
            onChange={(enabled) => changeFeature(data, name, enabled)}
          />
        ))}
      {!data && !error && <LoadingText>{t('Loading settings...')}</LoadingText>}
      {!data && error !== undefined && (
        <LoadFailed onRetry={features.$resource.reload}>{t('The settings could not be loaded.')}</LoadFailed>
      )}
    </Panel>
  )
}
