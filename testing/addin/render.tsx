/** Renders the pane or the sign-in window as Excel shows it. */
import { cleanup, configure, render } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { endSession } from '../../addin/src/api/session.ts'
import { PaneProviders } from '../../addin/src/app/providers.tsx'
import { closeWorkbook } from './workbook.ts'

// Queries need more time on a busy machine.
configure({ asyncUtilTimeout: 4_000 })

export function renderPart(part: ReactNode) {
  render(<PaneProviders isDark={false}>{part}</PaneProviders>)
  return userEvent.setup()
}

/** Cleans up after a test: empties the screen, ends the session and closes the workbook. */
export function leave(): void {
  cleanup()
  endSession()
  closeWorkbook()
}
