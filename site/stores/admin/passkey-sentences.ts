import type { PasskeyTrouble } from '#site/lib/passkeys.ts'
import { t } from '#site/texts/texts.ts'

/** Here, because they are the administration's: visitors' pages do not carry them. */
export function passkeySentences(): Record<PasskeyTrouble, string> {
  return {
    canceled: t('No passkey was chosen. Try again, or use a password.'),
    unsupported: t('This browser or device cannot use passkeys. Use a password, or another device.'),
    known: t('This device has a passkey of yours already. Use that one.'),
    failed: t('The passkey could not be used. Try again in a moment, or use a password.'),
  }
}
