import { fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { leave, renderPart } from '@tributary/testing/addin/render.tsx'
import { useScreenMutation } from './use-screen-mutation.ts'

afterEach(leave)

interface StartedWork {
  readonly signal: AbortSignal
  finish(error?: Error): void
}

function Buttons({ started }: { started: StartedWork[] }) {
  const { mutate, reset, isPending, error } = useScreenMutation(
    (_, signal) =>
      new Promise<void>((resolve, reject) => {
        signal.addEventListener('abort', () => reject(new Error('aborted')))
        started.push({ signal, finish: (failure) => (failure === undefined ? resolve() : reject(failure)) })
      }),
  )
  return (
    <>
      <button type="button" onClick={() => mutate()}>
        Start
      </button>
      <button type="button" onClick={reset}>
        Stop
      </button>
      <output>{isPending ? 'pending' : (error?.message ?? 'idle')}</output>
    </>
  )
}

const click = (name: string) => fireEvent.click(screen.getByRole('button', { name }))
const expectStatus = (text: string) => waitFor(() => expect(screen.getByRole('status').textContent).toBe(text))

test('a second click starts nothing twice, and after a failure one click starts it again', async () => {
  const started: StartedWork[] = []
  renderPart(<Buttons started={started} />)
  for (let clicks = 0; clicks < 5; clicks += 1) click('Start')
  await expectStatus('pending')
  expect(started).toHaveLength(1)
  started[0]?.finish(new Error('refused'))
  await expectStatus('refused')
  click('Start')
  await waitFor(() => expect(started).toHaveLength(2))
})

test('a reset aborts the work without an error, and so does leaving the screen', async () => {
  const started: StartedWork[] = []
  renderPart(<Buttons started={started} />)
  click('Start')
  await expectStatus('pending')
  click('Stop')
  await expectStatus('idle')
  expect(started[0]?.signal.aborted).toBe(true)
  click('Start')
  await waitFor(() => expect(started).toHaveLength(2))
  leave()
  expect(started[1]?.signal.aborted).toBe(true)
})
