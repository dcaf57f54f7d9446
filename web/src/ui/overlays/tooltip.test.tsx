import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { leave, renderPart } from '@tributary/testing/web/render-app.tsx'
import { Hint } from './tooltip.tsx'

afterEach(leave)

test('a hint comes with the pointer that stays and with the focus of the keyboard, and goes with them and with Escape', async () => {
  renderPart(
    <>
      <Hint label="All of it">
        <button type="button">It</button>
      </Hint>
    </>,
  )
  const hint = () => screen.queryByText('All of it')
  const button = screen.getByRole('button')
  expect(hint()).toBeNull()
  await userEvent.hover(button)
  await screen.findByText('All of it')
  await userEvent.unhover(button)
  expect(hint()).toBeNull()
  await userEvent.tab()
  await screen.findByText('All of it')
  expect(document.activeElement).toBe(button)
  await userEvent.keyboard('{Escape}')
  await waitFor(() => expect(hint()).toBeNull())
})

test('a hint is in nobody’s way: a pointer that passes and a touch show none, unless there is nothing else to touch it for', async () => {
  renderPart(
    <>
      <Hint label="For a button">
        <button type="button">It</button>
      </Hint>
      <Hint label="For a badge" isTouchable>
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- as a badge is. */}
        <span tabIndex={0}>Late</span>
      </Hint>
    </>,
  )
  await userEvent.hover(screen.getByRole('button'))
  await userEvent.unhover(screen.getByRole('button'))
  await userEvent.pointer([{ keys: '[TouchA]', target: screen.getByRole('button') }])
  await userEvent.pointer([{ keys: '[TouchA]', target: screen.getByText('Late') }])
  await screen.findByText('For a badge')
  expect(screen.queryByText('For a button')).toBeNull()
})
