import { ResponseError } from '#site/lib/request.ts'
import { t } from '#site/texts/texts.ts'
import { addErrorToast, addToast } from '../toasts.ts'

/** Tells an administrator that something was not done; a session that is over has its own cure. */
export function tellFailedAct(description: string, error: unknown): void {
  if (!(error instanceof ResponseError) || error.status !== 401) {
    addErrorToast(description)
    return
  }
  addToast({
    title: t('Error'),
    description: `${description.replace(/\.$/, '')}. ${t('You are no longer signed in.')}`,
    variant: 'destructive',
    action: { label: t('Sign in'), altText: t('Sign in again'), onPress: () => location.assign('/admin') },
  })
}
