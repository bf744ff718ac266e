import { ResponseError } from '#site/lib/request.ts'
import { addErrorToast, addToast } from '../toasts.ts'

/** Tells an administrator that something was not done; a session that is over has its own cure. */
export function tellFailedAct(description: string, error: unknown): void {
  if (!(error instanceof ResponseError) || error.status !== 401) {
    addErrorToast(description)
    return
  }
  addToast({
    title: 'Error',
    description: `${description.replace(/\.$/, '')}. You are no longer signed in.`,
    variant: 'destructive',
    action: { label: 'Sign in', altText: 'Sign in again', onPress: () => location.assign('/admin') },
  })
}
