import { Action, Close, Description, Provider, Root, Title, Viewport } from 'radix-ui/toast'
import { dismissToast, TOAST_DURATION_MS, type Toast as ToastState } from '#site/stores/toasts.ts'
import { t } from '#site/texts/texts.ts'
import { buttonClass } from '#site/ui/Button.tsx'
import { check, cross, Icon, warning } from '#site/ui/Icon.tsx'

/** A notification. Loaded lazily, because Radix's toast is larger than the rest of the page. */
export function Toast({ toast }: { toast: ToastState | undefined }) {
  return (
    <Provider label={t('Notification')} swipeDirection="right" swipeThreshold={50} duration={TOAST_DURATION_MS}>
      {toast && (
        <Root
          key={toast.id}
          ref={uncoverFocused}
          className={`toast toast--${toast.variant}`}
          open={toast.open}
          onOpenChange={(open) => open || dismissToast(toast.id)}
        >
          <Icon shape={toast.variant === 'destructive' ? warning : check} className="toast__icon" />
          <div className="toast__text">
            {toast.title && <Title className="toast__title">{toast.title}</Title>}
            {toast.description && <Description className="toast__description">{toast.description}</Description>}
          </div>
          {toast.action && (
            <Action
              className={`${buttonClass('secondary')} toast__action`}
              altText={toast.action.altText}
              onClick={toast.action.onPress}
            >
              {toast.action.label}
            </Action>
          )}
          <Close className="toast__close" aria-label={t('Close')}>
            <Icon shape={cross} />
          </Close>
        </Root>
      )}
      <Viewport className="toasts" hotkey={['F8']} label={t('Notifications ({hotkey})', { hotkey: '{hotkey}' })} />
    </Provider>
  )
}

/** Scrolls the focused element, which the notice is about, out from under the notice. */
function uncoverFocused(notice: HTMLElement | null): void {
  const focused = document.activeElement
  const area = notice?.parentElement?.getBoundingClientRect()
  if (focused === null || focused === document.body || area === undefined) return
  const { top, bottom, left, right } = focused.getBoundingClientRect()
  const isCovered = top < area.bottom && area.top < bottom && left < area.right && area.left < right
  // Notices are at the top of a small screen, and at the bottom of a larger one.
  if (isCovered) scrollBy(0, area.top < innerHeight / 2 ? top - area.bottom : bottom - area.top)
}
