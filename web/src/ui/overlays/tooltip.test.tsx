import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { leave, renderPart } from '@tributary/testing/web/render-app.tsx'
import { Tooltip } from './tooltip.tsx'

afterEach(leave)

test('a tooltip opens on hover and on keyboard focus, and closes when they leave or on Escape', async () => {
  renderPart(
    <>
      <Tooltip label="All of it">
        <button type="button">It</button>
      </Tooltip>
    </>,
  )
  const tooltip = () => screen.queryByText('All of it')
  const button = screen.getByRole('button')
  expect(tooltip()).toBeNull()
  await userEvent.hover(button)
  await screen.findByText('All of it')
  await userEvent.unhover(button)
  expect(tooltip()).toBeNull()
  await userEvent.tab()
  await screen.findByText('All of it')
  expect(document.activeElement).toBe(button)
  await userEvent.keyboard('{Escape}')
  await waitFor(() => expect(tooltip()).toBeNull())
})

test('a passing pointer or a touch shows no tooltip, unless the element has no other action', async () => {
  renderPart(
    <>
      <Tooltip label="For a button">
        <button type="button">It</button>
      </Tooltip>
      <Tooltip label="For a badge" isTouchable>
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- as a badge is. */}
        <span tabIndex={0}>Late</span>
      </Tooltip>
    </>,
  )
  await userEvent.hover(screen.getByRole('button'))
  await userEvent.unhover(screen.getByRole('button'))
  await userEvent.pointer([{ keys: '[TouchA]', target: screen.getByRole('button') }])
  await userEvent.pointer([{ keys: '[TouchA]', target: screen.getByText('Late') }])
  await screen.findByText('For a badge')
  expect(screen.queryByText('For a button')).toBeNull()
})
