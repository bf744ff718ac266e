import * as z from 'zod/mini'
import { storableText } from './text.ts'

const PASSWORD_MINIMUM = 12
export const PASSWORD_MAXIMUM = 128

/** A password that may be set: typed the same on every device, so blanks at its ends do not count. */
export const newPassword = storableText('The password', PASSWORD_MAXIMUM).check(
  z.minLength(
    PASSWORD_MINIMUM,
    `A password needs at least ${PASSWORD_MINIMUM} characters. Three or four words will do.`,
  ),
)
