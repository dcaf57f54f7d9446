import { act, fireEvent, screen } from '@testing-library/react'
import { bannerHideMs } from '@tributary/contract/limits'
import { useState } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { leave, renderPart } from '@tributary/testing/web/render-app.tsx'
import { ErrorBanner } from './error-banner.tsx'

afterEach(() => {
  vi.useRealTimers()
  leave()
})

function Example() {
  const [message, setMessage] = useState<string | null>('It did not work.')
  return <ErrorBanner message={message} onDismiss={() => setMessage(null)} />
}

test('[SIGN-2] a dismissed banner leaves after an animation of one second, not before', () => {
  vi.useFakeTimers()
  renderPart(<Example />)
  fireEvent.click(screen.getByRole('button', { name: 'Dismiss error' }))
  act(() => void vi.advanceTimersByTime(bannerHideMs - 1))
  expect(screen.getByRole('alert').textContent).toContain('It did not work.')
  act(() => void vi.advanceTimersByTime(1))
  expect(screen.queryByRole('alert')).toBeNull()
})
