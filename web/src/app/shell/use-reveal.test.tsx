import { act, cleanup, renderHook } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { useReveal } from './use-reveal.ts'

afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

test('[SHELL-4] the layout is revealed 500 ms after navigation start, not before', () => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'], now: 0 })
  const { result } = renderHook(useReveal)
  const first = () => document.documentElement.dataset['first']
  act(() => void vi.advanceTimersByTime(499))
  expect([result.current, first()]).toEqual([false, 'chrome'])
  act(() => void vi.advanceTimersByTime(1))
  expect([result.current, first()]).toEqual([true, 'done'])
})
