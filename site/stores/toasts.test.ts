import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { $toasts, addToast, dismissToast, removeToast, TOAST_DURATION_MS, updateToast } from './toasts.ts'

beforeEach(() => {
  vi.useFakeTimers()
  $toasts.set([])
})
afterEach(() => vi.useRealTimers())

describe('toasts', () => {
  it('are shown one at a time, for five seconds: a new one replaces the previous one', () => {
    addToast({ title: 'First' })
    const id = addToast({ title: 'Second', description: 'More', variant: 'destructive' })
    expect($toasts.get()).toEqual([{ id, title: 'Second', description: 'More', variant: 'destructive', open: true }])
    expect(TOAST_DURATION_MS).toBe(5000)
  })

  it('can be updated', () => {
    const id = addToast({ title: 'Saving' })
    updateToast(id, { title: 'Saved' })
    expect($toasts.get()).toMatchObject([{ id, title: 'Saved', open: true }])
  })

  it('are removed by a call, or 1,000,000 ms after they were dismissed', () => {
    const id = addToast({ title: 'Bye' })
    dismissToast(id)
    expect($toasts.get()).toMatchObject([{ id, open: false }])
    vi.advanceTimersByTime(999_999)
    expect($toasts.get()).toHaveLength(1)
    vi.advanceTimersByTime(1)
    expect($toasts.get()).toEqual([])
    const last = addToast({ title: 'Gone' })
    dismissToast(last)
    removeToast(last)
    expect($toasts.get()).toEqual([])
    expect(vi.getTimerCount()).toBe(0)
  })
})
