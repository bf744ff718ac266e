// @vitest-environment jsdom
import { beforeEach, describe, expect, it } from 'vitest'
import { $toasts } from '#site/stores/toasts.ts'
import { reloadWithToast, takeCarriedToast } from './carried-toast.ts'
import { showCarriedToast } from './show-carried-toast.ts'

beforeEach(() => {
  document.body.innerHTML = '<main class="admin"></main>'
  sessionStorage.clear()
  $toasts.set([])
})

const ids = Array.from({ length: 100_000 }, (_, position) => position + 1)
const notice = { title: 'RSVPs Deleted', description: '100000 responses were deleted.', deleted: ids }

describe('a notice that is carried over a reload', () => {
  it('can take back however many were deleted', () => {
    reloadWithToast(notice)
    expect(takeCarriedToast()?.deleted).toEqual(ids)
    reloadWithToast(notice)
    showCarriedToast()
    expect($toasts.get()).toMatchObject([{ title: 'RSVPs Deleted', action: { label: 'Undo' } }])
  })

  it('is shown once', () => {
    reloadWithToast({ title: 'RSVPs Restored' })
    showCarriedToast()
    expect($toasts.get()).toMatchObject([{ title: 'RSVPs Restored' }])
    expect(takeCarriedToast()).toBeUndefined()
  })
})
