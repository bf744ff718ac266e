import type { Church } from '#db/church/schema.ts'
import { useChangeable } from '#site/lib/hooks/use-changeable.ts'
import { church } from '#site/stores/admin/church.ts'
import { t } from '#site/texts/texts.ts'
import { LoadFailed } from '#site/ui/LoadFailed.tsx'
import { LoadingText } from '#site/ui/LoadingText.tsx'
import { Panel } from '#site/ui/Panel.tsx'
import { ChurchForm } from './church/ChurchForm.tsx'
import { ChurchPicture } from './church/ChurchPicture.tsx'

/** What people recognize the church by: its name, its color and its picture. */
export function ChurchPanel({ rendered }: { rendered: Church | null }) {
  const { data, error } = useChangeable(rendered, church)

  return (
    <Panel
      id="church"
      title={t('Your Church')}
      description={t('What people recognize you by, on every page they see.')}
    >
      {data && <ChurchPicture church={data} />}
      {data && <ChurchForm church={data} />}
      {!data && error === undefined && <LoadingText>{t('Loading...')}</LoadingText>}
      {!data && error !== undefined && (
        <LoadFailed onRetry={church.$resource.reload}>
          {t('What is said of the church could not be loaded.')}
        </LoadFailed>
      )}
    </Panel>
  )
}
