import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { leave, renderPart } from '@tributary/testing/web/render-app.tsx'
import { CancelButton, Dialog, type DialogProps } from './dialog.tsx'

afterEach(() => {
  vi.useRealTimers()
  leave()
})

function show(of: Pick<DialogProps, 'isDirty' | 'isBusy'>): { closed: number } {
  const told = { closed: 0 }
  renderPart(
    <Dialog kind="modal" title="A form" {...of} onClose={() => (told.closed += 1)} footer={<CancelButton />}>
      Something
    </Dialog>,
  )
  return told
}

test.each(['Cancel', 'Close'])('%s asks before what is not saved is lost, as Escape does', async (name) => {
  const told = show({ isDirty: true })
  await userEvent.click(await screen.findByRole('button', { name }))
  expect(screen.getByRole('alert').textContent).toContain('You have changes that are not saved.')
  await userEvent.click(screen.getByRole('button', { name: 'Keep editing' }))
  expect(told.closed).toBe(0)
  await userEvent.click(screen.getByRole('button', { name }))
  await userEvent.click(screen.getByRole('button', { name: 'Discard changes' }))
  expect(told.closed).toBe(1)
})

test('Cancel closes at once where there is nothing to lose', async () => {
  const told = show({ isDirty: false })
  await userEvent.click(await screen.findByRole('button', { name: 'Cancel' }))
  expect(told.closed).toBe(1)
})

const waysOut = {
  Cancel: () => userEvent.click(screen.getByRole('button', { name: 'Cancel' })),
  Close: () => userEvent.click(screen.getByRole('button', { name: 'Close' })),
  Escape: () => userEvent.keyboard('{Escape}'),
  'a press outside': () => userEvent.click(document.querySelector('[data-fixed]') ?? document.body),
}

test.each(Object.entries(waysOut))(
  '%s closes a dialog at rest, and none whose call is under way',
  async (_, tryOut) => {
    const atRest = show({})
    await screen.findByRole('dialog')
    await tryOut()
    expect(atRest.closed).toBe(1)
    leave()
    const busy = show({ isDirty: true, isBusy: true })
    await screen.findByRole('dialog')
    await tryOut()
    expect(busy.closed).toBe(0)
    expect(screen.queryByRole('alert')).toBeNull()
  },
)

test('what is asked about before it is lost is not given up once it is being sent', async () => {
  const told = { closed: 0 }
  const form = (isBusy: boolean) => (
    <Dialog
      kind="modal"
      title="A form"
      isDirty
      isBusy={isBusy}
      onClose={() => (told.closed += 1)}
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

test('a call that does not end holds its dialog for a minute, no longer', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const told = show({ isBusy: true })
  await vi.waitFor(() => expect(screen.getByRole('dialog')).toBeDefined())
  const cancel = screen.getByRole('button', { name: 'Cancel' })
  await act(() => vi.advanceTimersByTimeAsync(59_000))
  fireEvent.click(cancel)
  expect(told.closed).toBe(0)
  await act(() => vi.advanceTimersByTimeAsync(1_000))
  fireEvent.click(cancel)
  expect(told.closed).toBe(1)
})

test.each(['gone', 'disabled'] as const)(
  'what opened a dialog has the focus again, and where it is %s the page has it',
  async (fate) => {
    renderPart(<Opening fate={fate} />)
    const opener = await screen.findByRole('button', { name: 'Delete' })
    await userEvent.click(opener)
    await userEvent.click(await screen.findByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(document.activeElement).toBe(opener))
    await userEvent.click(opener)
    await userEvent.click(await screen.findByRole('button', { name: 'Yes' }))
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('main')))
  },
)

function Opening({ fate }: { fate: 'gone' | 'disabled' }) {
  const [step, setStep] = useState<'at rest' | 'asked' | 'done'>('at rest')
  return (
    <main id="main" tabIndex={-1}>
      {step === 'done' && fate === 'gone' ? null : (
        <button type="button" disabled={step === 'done'} onClick={() => setStep('asked')}>
          Delete
        </button>
      )}
      {step === 'asked' ? (
        <Dialog kind="modal" title="Delete it?" onClose={() => setStep('at rest')} footer={<CancelButton />}>
          <button type="button" onClick={() => setStep('done')}>
            Yes
          </button>
        </Dialog>
      ) : null}
    </main>
  )
}
