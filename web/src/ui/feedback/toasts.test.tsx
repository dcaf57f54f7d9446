import { act, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { leave, renderPart } from '@tributary/testing/web/render-app.tsx'
import { announceToScreenReader, ToastRegion, showToast } from './toasts.tsx'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
  leave()
})

/** Returns nothing, so that `act` runs it synchronously. */
function pass(ms: number): void {
  vi.advanceTimersByTime(ms)
}

test('a toast offers Undo for eight seconds, and longer while it has the focus', () => {
  renderPart(<ToastRegion />)
  const undone: string[] = []
  act(() => showToast('Kitchen is archived.', { label: 'Undo', act: () => undone.push('Kitchen') }))
  act(() => pass(7_900))
  const button = screen.getByRole('button', { name: 'Undo' })
  act(() => button.focus())
  act(() => pass(20_000))
  fireEvent.click(button)
  expect(undone).toEqual(['Kitchen'])
  expect(screen.queryByText('Kitchen is archived.')).toBeNull()

  act(() => showToast('Bar is archived.', { label: 'Undo', act: () => undone.push('Bar') }))
  act(() => pass(8_100))
  expect(screen.queryByText('Bar is archived.')).toBeNull()
})

test('[UX-SHELL-5] a toast replaces the previous one; announcements to screen readers stay', () => {
  renderPart(<ToastRegion />)
  act(() => announceToScreenReader('Now working in Harbour Trading'))
  act(() => showToast('Kitchen is archived.'))
  act(() => showToast('Bar is archived.'))
  expect(screen.queryByText('Kitchen is archived.')).toBeNull()
  expect(screen.getByText('Bar is archived.')).toBeTruthy()
  expect(screen.getByText('Now working in Harbour Trading')).toBeTruthy()
})

test('the next user does not see the toasts of the previous one', () => {
  renderPart(<ToastRegion />)
  act(() => showToast('Web shop failed.', { label: 'See the run', act: () => undefined }))
  leave()
  renderPart(<ToastRegion />)
  expect(screen.queryByText('Web shop failed.')).toBeNull()
})
