import { useStore } from '@nanostores/react'
import { publicNames, type Settings } from '#db/settings/schema.ts'
import { publicNamesTexts } from '#db/settings/texts.ts'
import { useQuery } from '#site/lib/hooks/use-query.ts'
import { $settings, $settingsQuery, changePublicNames } from '#site/stores/admin/settings.ts'
import { LoadFailed } from '#site/ui/LoadFailed.tsx'
import { LoadingText } from '#site/ui/LoadingText.tsx'
import { Panel } from '#site/ui/Panel.tsx'
import { RadioList } from '#site/ui/RadioList.tsx'

const options = publicNames.map((value) => ({ value, ...publicNamesTexts[value] }))

/** The choice of what visitors see of the responses. Takes effect at once. */
export function PublicNamesPanel({ rendered, open }: { rendered: Settings | null; open: boolean }) {
  const changed = useStore($settings)
  const { data, error } = useQuery(rendered, $settingsQuery)
  const settings = changed ?? data

  return (
    <Panel
      title="Public List"
      description={
        open
          ? 'What visitors will see of the responses once a password is set. In open mode they see full names.'
          : 'What visitors see of the responses. Family members are never shown.'
      }
    >
      {settings && (
        <RadioList
          legend="Show"
          name="publicNames"
          options={options}
          value={settings.publicNames}
          onChange={(chosen) => changePublicNames(settings, chosen)}
        />
      )}
      {!settings && !error && <LoadingText>Loading settings...</LoadingText>}
      {error !== undefined && (
        <LoadFailed onRetry={$settingsQuery.reload}>The settings could not be loaded.</LoadFailed>
      )}
    </Panel>
  )
}
