import { Fragment, type ReactNode } from 'react'

/** A part that is longer than this may be divided where people would divide it. */
const LONG = 16
/** What is at the beginning of a phone number, without an extension or a remark behind it. */
const dialed = /^\+?[\d\s()./-]+/
const DIGITS_MINIMUM = 3

/** Writes an email to a visitor. Where the address needs two lines, the second one begins with its domain. */
export function EmailLink({ email }: { email: string }) {
  const at = email.lastIndexOf('@')
  return (
    <a href={`mailto:${encodeURIComponent(email).replace('%40', '@')}`}>
      {divided(email.slice(0, at))}
      <wbr />
      {divided(email.slice(at))}
    </a>
  )
}

/** Calls a visitor; only the text where it is no number. */
export function PhoneLink({ phone }: { phone: string }) {
  const number = (dialed.exec(phone)?.[0] ?? '').replace(/[^+\d]/g, '')
  return number.length < DIGITS_MINIMUM ? phone : <a href={`tel:${number}`}>{phone}</a>
}

function divided(part: string): ReactNode {
  if (part.length <= LONG) return part
  return part.split(/(?<=[._+-])/).map((piece, place) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: The pieces of a text never change their order.
    <Fragment key={place}>
      {place > 0 && <wbr />}
      {piece}
    </Fragment>
  ))
}
