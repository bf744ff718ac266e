import { statusText } from '#db/rsvp/texts.ts'
import { StatusMark } from '#site/ui/StatusMark.tsx'

/** Whether a visitor is coming, by icon, word and color. */
export function AttendanceMark({ attending }: { attending: boolean }) {
  return <StatusMark tone={attending ? 'yes' : 'no'}>{statusText({ attending })}</StatusMark>
}
