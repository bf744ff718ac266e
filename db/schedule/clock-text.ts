/** A time as people read it: `18:30` is `6:30 PM`. */
export function clockText(time: string): string {
  const [hours = 0, minutes = '00'] = [Number(time.slice(0, 2)), time.slice(3)]
  return `${hours % 12 || 12}:${minutes} ${hours < 12 ? 'AM' : 'PM'}`
}
