import { fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { leave, renderPart } from '@tributary/testing/web/render-app.tsx'
import { useMutation } from './use-mutation.ts'

afterEach(leave)

interface Sent {
  readonly what: string
  finish(outcome?: Error): void
}

function Buttons({ sent }: { sent: Sent[] }) {
  const change = useMutation({
    mutationFn: ({ what }: { what: string }) =>
      new Promise<void>((resolve, reject) => {
        sent.push({ what, finish: (error) => (error === undefined ? resolve() : reject(error)) })
      }),
  })
  return (
    <>
      <button type="button" onClick={() => change.mutate({ what: 'approve' })}>
        Approve
      </button>
      <button type="button" onClick={() => change.mutate({ what: 'reject' })}>
        Reject
      </button>
      <output>{change.status}</output>
    </>
  )
}

/** Faster than any redraw. */
function clickAtOnce(name: string, times: number): void {
  const button = screen.getByRole('button', { name })
  for (let click = 0; click < times; click += 1) fireEvent.click(button)
}

test('however fast somebody clicks, one call is sent, and another one once that is settled', async () => {
  const sent: Sent[] = []
  renderPart(<Buttons sent={sent} />)
  clickAtOnce('Approve', 5)
  await waitFor(() => expect(sent).toHaveLength(1))
  sent[0]?.finish()
  await waitFor(() => expect(screen.getByRole('status').textContent).toBe('success'))
  clickAtOnce('Approve', 1)
  await waitFor(() => expect(sent).toHaveLength(2))
  sent[1]?.finish(new Error('refused'))
  await waitFor(() => expect(screen.getByRole('status').textContent).toBe('error'))
  clickAtOnce('Approve', 3)
  await waitFor(() => expect(sent).toHaveLength(3))
})

test('something else is not held back by what is under way', async () => {
  const sent: Sent[] = []
  renderPart(<Buttons sent={sent} />)
  clickAtOnce('Approve', 2)
  clickAtOnce('Reject', 2)
  await waitFor(() => expect(sent.map(({ what }) => what)).toEqual(['approve', 'reject']))
})
