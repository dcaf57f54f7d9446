import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, expect, test } from 'vitest'
import { leave, renderPart } from '../testing/render-app.tsx'
import { CancelButton, Dialog } from './dialog.tsx'

afterEach(leave)

function show(isDirty: boolean): { closed: number } {
  const told = { closed: 0 }
  renderPart(
    <Dialog kind="modal" title="A form" isDirty={isDirty} onClose={() => (told.closed += 1)} footer={<CancelButton />}>
      Something
    </Dialog>,
  )
  return told
}

test.each(['Cancel', 'Close'])('%s asks before what is not saved is lost, as Escape does', async (name) => {
  const told = show(true)
  await userEvent.click(await screen.findByRole('button', { name }))
  expect(screen.getByRole('alert').textContent).toContain('You have changes that are not saved.')
  await userEvent.click(screen.getByRole('button', { name: 'Keep editing' }))
  expect(told.closed).toBe(0)
  await userEvent.click(screen.getByRole('button', { name }))
  await userEvent.click(screen.getByRole('button', { name: 'Discard changes' }))
  expect(told.closed).toBe(1)
})

test('Cancel closes at once where there is nothing to lose', async () => {
  const told = show(false)
  await userEvent.click(await screen.findByRole('button', { name: 'Cancel' }))
  expect(told.closed).toBe(1)
})

test.each(['gone', 'disabled'] as const)('what opened a dialog has the focus again, and where it is %s the page has it', async (fate) => {
  renderPart(<Opening fate={fate} />)
  const opener = await screen.findByRole('button', { name: 'Delete' })
  await userEvent.click(opener)
  await userEvent.click(await screen.findByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(document.activeElement).toBe(opener))
  await userEvent.click(opener)
  await userEvent.click(await screen.findByRole('button', { name: 'Yes' }))
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('main')))
})

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
