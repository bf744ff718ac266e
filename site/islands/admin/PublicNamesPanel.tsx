import { publicNames, type Settings } from '#db/settings/schema.ts'
import { publicNamesTexts } from '#db/settings/texts.ts'
import { useChangeable } from '#site/lib/hooks/use-changeable.ts'
import { changePublicNames, settings } from '#site/stores/admin/settings.ts'
import { said } from '#site/texts/said.ts'
import { t } from '#site/texts/texts.ts'
import { LoadFailed } from '#site/ui/LoadFailed.tsx'
import { LoadingText } from '#site/ui/LoadingText.tsx'
import { Panel } from '#site/ui/Panel.tsx'
import { RadioList } from '#site/ui/RadioList.tsx'

const options = () =>
  publicNames.map((value) => ({
    value,
    label: said(publicNamesTexts[value].label),
    description: said(publicNamesTexts[value].description),
  }))

/** The choice of what visitors see of the responses. Takes effect at once. */
export function PublicNamesPanel({ rendered, open }: { rendered: Settings | null; open: boolean }) {
  const { data, error } = useChangeable(rendered, settings)

  return (
    <Panel
      title={t('Public List')}
      description={
        open
          ? t('What visitors will see of the responses once a password is set. In open mode they see full names.')
          : t('What visitors see of the responses. Family members are never shown.')
      }
    >
      {data && (
        <RadioList
          legend={t('Show')}
          name="publicNames"
          options={options()}
          value={data.publicNames}
          onChange={(chosen) => changePublicNames(data, chosen)}
        />
      )}
      {!data && !error && <LoadingText>{t('Loading settings...')}</LoadingText>}
      {error !== undefined && (
        <LoadFailed onRetry={settings.$resource.reload}>{t('The settings could not be loaded.')}</LoadFailed>
      )}
    </Panel>
  )
}
