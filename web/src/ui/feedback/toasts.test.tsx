import { act, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { leave, renderPart } from '@tributary/testing/web/render-app.tsx'
import { Announcements, tell } from './toasts.tsx'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
  leave()
})

/** `act` of a function that gives nothing back is done at once. */
function pass(ms: number): void {
  vi.advanceTimersByTime(ms)
}

test('what can be undone can be for eight seconds, and longer while somebody is at it', () => {
  renderPart(<Announcements />)
  const undone: string[] = []
  act(() => tell('Kitchen is archived.', { label: 'Undo', act: () => undone.push('Kitchen') }))
  act(() => pass(7_900))
  const button = screen.getByRole('button', { name: 'Undo' })
  act(() => button.focus())
  act(() => pass(20_000))
  fireEvent.click(button)
  expect(undone).toEqual(['Kitchen'])
  expect(screen.queryByText('Kitchen is archived.')).toBeNull()

  act(() => tell('Bar is archived.', { label: 'Undo', act: () => undone.push('Bar') }))
  act(() => pass(8_100))
  expect(screen.queryByText('Bar is archived.')).toBeNull()
})

test('whoever comes next is not told what was told before', () => {
  renderPart(<Announcements />)
  act(() => tell('Web shop failed.', { label: 'See the run', act: () => undefined }))
  leave()
  renderPart(<Announcements />)
  expect(screen.queryByText('Web shop failed.')).toBeNull()
})
