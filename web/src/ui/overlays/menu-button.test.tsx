import { ActionIcon } from '@mantine/core'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { leave, renderPart } from '@tributary/testing/web/render-app.tsx'
import { MenuButton } from './menu-button.tsx'

afterEach(leave)

test('a menu opens at the first key, takes the focus and returns it to its button', async () => {
  const onChoose = vi.fn()
  renderPart(
    <>
      <MenuButton
        position="bottom-start"
        width={200}
        withinPortal
        button={<ActionIcon aria-label="Which" />}
        items={[
          { label: 'One', icon: null, onSelect: onChoose },
          { label: 'Two', icon: null, onSelect: () => undefined },
        ]}
      />
    </>,
  )
  expect(screen.getByRole('button', { name: 'Which', expanded: false }).getAttribute('aria-haspopup')).toBe('menu')
  await userEvent.tab()
  await userEvent.keyboard('{Enter}')
  const first = await screen.findByRole('menuitem', { name: 'One' })
  expect(screen.getByRole('button', { expanded: true })).toBeDefined()
  await waitFor(() => expect(screen.getByRole('menu').contains(document.activeElement)).toBe(true))
  await userEvent.click(first)
  expect(onChoose).toHaveBeenCalledOnce()
  await waitFor(() =>
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Which', expanded: false })),
  )
})
