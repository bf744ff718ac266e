import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  $toasts,
  addErrorToast,
  addToast,
  dismissToast,
  removeToast,
  TOAST_DURATION_MS,
  updateToast,
} from './toasts.ts'

beforeEach(() => {
  vi.useFakeTimers()
  $toasts.set([])
})
afterEach(() => vi.useRealTimers())

describe('toasts', () => {
  it('show for five seconds', () => {
    expect(TOAST_DURATION_MS).toBe(5000)
  })

  it('are visible one at a time: a new one replaces the one before', () => {
    addToast({ title: 'First' })
    const id = addToast({ title: 'Second', description: 'More', variant: 'destructive' })
    expect($toasts.get()).toEqual([{ id, title: 'Second', description: 'More', variant: 'destructive', open: true }])
  })

  it('can be updated', () => {
    const id = addToast({ title: 'Saving' })
    updateToast(id, { title: 'Saved' })
    expect($toasts.get()).toMatchObject([{ id, title: 'Saved', open: true }])
  })

  it('are removed 1,000,000 ms after they were dismissed', () => {
    const id = addToast({ title: 'Bye' })
    dismissToast(id)
    expect($toasts.get()).toMatchObject([{ id, open: false }])
    vi.advanceTimersByTime(999_999)
    expect($toasts.get()).toHaveLength(1)
    vi.advanceTimersByTime(1)
    expect($toasts.get()).toEqual([])
  })

  it('can be removed at once', () => {
    removeToast(addToast({ title: 'Gone' }))
    expect($toasts.get()).toEqual([])
    expect(vi.getTimerCount()).toBe(0)
  })

  it('have one style for failures', () => {
    addErrorToast('Failed to delete RSVP')
    expect($toasts.get()).toMatchObject([
      { title: 'Error', description: 'Failed to delete RSVP', variant: 'destructive' },
    ])
  })
})
