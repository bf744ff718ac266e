import { t } from '#site/texts/texts.ts'
import { StatusMark } from '#site/ui/StatusMark.tsx'

/** Whether a visitor is coming, by icon, word and color. */
export function AttendanceMark({ attending }: { attending: boolean }) {
  return <StatusMark tone={attending ? 'yes' : 'no'}>{attending ? t('Attending') : t('Not Attending')}</StatusMark>
}
