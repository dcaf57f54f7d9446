import { ActionIcon } from '@mantine/core'
import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { leave, renderPart } from '@tributary/testing/web/render-app.tsx'
import { MenuButton } from '../overlays/menu-button.tsx'
import { CancelButton, Dialog, type DialogProps } from './dialog.tsx'

afterEach(() => {
  vi.useRealTimers()
  leave()
})

function show(of: Pick<DialogProps, 'isDirty' | 'isBusy'>): { closed: number } {
  const calls = { closed: 0 }
  renderPart(
    <Dialog kind="modal" title="A form" {...of} onClose={() => (calls.closed += 1)} footer={<CancelButton />}>
      Something
    </Dialog>,
  )
  return calls
}

test.each(['Cancel', 'Close'])('%s asks before unsaved input is lost, like Escape', async (name) => {
  const calls = show({ isDirty: true })
  await userEvent.click(await screen.findByRole('button', { name }))
  expect(screen.getByRole('alert').textContent).toContain('You have changes that are not saved.')
  await userEvent.click(screen.getByRole('button', { name: 'Keep editing' }))
  expect(calls.closed).toBe(0)
  await userEvent.click(screen.getByRole('button', { name }))
  await userEvent.click(screen.getByRole('button', { name: 'Discard changes' }))
  expect(calls.closed).toBe(1)
})

test('Cancel closes a dialog without unsaved input at once', async () => {
  const calls = show({ isDirty: false })
  await userEvent.click(await screen.findByRole('button', { name: 'Cancel' }))
  expect(calls.closed).toBe(1)
})

const closeActions = {
  Cancel: () => userEvent.click(screen.getByRole('button', { name: 'Cancel' })),
  Close: () => userEvent.click(screen.getByRole('button', { name: 'Close' })),
  Escape: () => userEvent.keyboard('{Escape}'),
  'a click outside': () => userEvent.click(document.querySelector('[data-fixed]') ?? document.body),
}

test.each(Object.entries(closeActions))(
  '%s closes an idle dialog, but not one with a call in progress',
  async (_, attemptClose) => {
    const idle = show({})
    await screen.findByRole('dialog')
    await attemptClose()
    expect(idle.closed).toBe(1)
    leave()
    const busy = show({ isDirty: true, isBusy: true })
    await screen.findByRole('dialog')
    await attemptClose()
    expect(busy.closed).toBe(0)
    expect(screen.queryByRole('alert')).toBeNull()
  },
)

test('unsaved input can no longer be discarded once it is being sent', async () => {
  const calls = { closed: 0 }
  const form = (isBusy: boolean) => (
    <Dialog
      kind="modal"
      title="A form"
      isDirty
      isBusy={isBusy}
      onClose={() => (calls.closed += 1)}
      footer={<CancelButton />}
    >
      Something
    </Dialog>
  )
  const { rerender } = renderPart(form(false))
  await screen.findByRole('dialog')
  await userEvent.keyboard('{Escape}')
  expect(screen.getByRole('button', { name: 'Discard changes' })).toBeDefined()
  rerender(form(true))
  expect(screen.queryByRole('button', { name: 'Discard changes' })).toBeNull()
})

test('a call that hangs locks its dialog for one minute at most', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const calls = show({ isBusy: true })
  await vi.waitFor(() => expect(screen.getByRole('dialog')).toBeDefined())
  const cancel = screen.getByRole('button', { name: 'Cancel' })
  await act(() => vi.advanceTimersByTimeAsync(59_000))
  fireEvent.click(cancel)
  expect(calls.closed).toBe(0)
  await act(() => vi.advanceTimersByTimeAsync(1_000))
  fireEvent.click(cancel)
  expect(calls.closed).toBe(1)
})

test.each(['removed', 'disabled'] as const)(
  'closing returns the focus to the opener, or to the page if the opener is %s',
  async (fate) => {
    renderPart(<OpenerExample fate={fate} />)
    const opener = await screen.findByRole('button', { name: 'Delete' })
    await userEvent.click(opener)
    await userEvent.click(await screen.findByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(document.activeElement).toBe(opener))
    await userEvent.click(opener)
    await userEvent.click(await screen.findByRole('button', { name: 'Yes' }))
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('main')))
  },
)

function OpenerExample({ fate }: { fate: 'removed' | 'disabled' }) {
  const [step, setStep] = useState<'idle' | 'open' | 'done'>('idle')
  return (
    <main id="main" tabIndex={-1}>
      {step === 'done' && fate === 'removed' ? null : (
        <button type="button" disabled={step === 'done'} onClick={() => setStep('open')}>
          Delete
        </button>
      )}
      {step === 'open' ? (
        <Dialog kind="modal" title="Delete it?" onClose={() => setStep('idle')} footer={<CancelButton />}>
          <button type="button" onClick={() => setStep('done')}>
            Yes
          </button>
        </Dialog>
      ) : null}
    </main>
  )
}

test('a dialog that was opened from a menu returns the focus to the button of the menu', async () => {
  function Page() {
    const [isOpen, setOpen] = useState(false)
    const items = [{ label: 'Rename', icon: null, onSelect: () => setOpen(true) }]
    return (
      <>
        <MenuButton
          position="bottom-start"
          width={200}
          withinPortal
          button={<ActionIcon aria-label="More" />}
          items={items}
        />
        {isOpen ? (
          <Dialog title="Rename" onClose={() => setOpen(false)} footer={<CancelButton />}>
            Something
          </Dialog>
        ) : null}
      </>
    )
  }
  renderPart(<Page />)
  await userEvent.click(screen.getByRole('button', { name: 'More' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Rename' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'More' })))
})
