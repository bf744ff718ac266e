import { StatusMark } from '#site/ui/StatusMark.tsx'

/** Whether somebody comes, by icon, word and colour. */
export function AttendanceMark({ attending }: { attending: boolean }) {
  return <StatusMark tone={attending ? 'yes' : 'no'}>{attending ? 'Attending' : 'Not Attending'}</StatusMark>
}
