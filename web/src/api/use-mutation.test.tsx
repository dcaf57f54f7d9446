import { fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { leave, renderPart } from '@tributary/testing/web/render-app.tsx'
import { useMutation } from './use-mutation.ts'

afterEach(leave)

interface SentDecision {
  readonly decision: string
  finish(error?: Error): void
}

function Buttons({ sent }: { sent: SentDecision[] }) {
  const change = useMutation({
    mutationFn: ({ decision }: { decision: string }) =>
      new Promise<void>((resolve, reject) => {
        sent.push({ decision, finish: (error) => (error === undefined ? resolve() : reject(error)) })
      }),
  })
  return (
    <>
      <button type="button" onClick={() => change.mutate({ decision: 'approve' })}>
        Approve
      </button>
      <button type="button" onClick={() => change.mutate({ decision: 'reject' })}>
        Reject
      </button>
      <output>{change.status}</output>
    </>
  )
}

/** Clicks before React renders again. */
function clickRepeatedly(name: string, times: number): void {
  const button = screen.getByRole('button', { name })
  for (let click = 0; click < times; click += 1) fireEvent.click(button)
}

test('however fast the user clicks, one call is sent, and the next one only after it has ended', async () => {
  const sent: SentDecision[] = []
  renderPart(<Buttons sent={sent} />)
  clickRepeatedly('Approve', 5)
  await waitFor(() => expect(sent).toHaveLength(1))
  sent[0]?.finish()
  await waitFor(() => expect(screen.getByRole('status').textContent).toBe('success'))
  clickRepeatedly('Approve', 1)
  await waitFor(() => expect(sent).toHaveLength(2))
  sent[1]?.finish(new Error('refused'))
  await waitFor(() => expect(screen.getByRole('status').textContent).toBe('error'))
  clickRepeatedly('Approve', 3)
  await waitFor(() => expect(sent).toHaveLength(3))
})

test('a mutation with other variables is not held back', async () => {
  const sent: SentDecision[] = []
  renderPart(<Buttons sent={sent} />)
  clickRepeatedly('Approve', 2)
  clickRepeatedly('Reject', 2)
  await waitFor(() => expect(sent.map(({ decision }) => decision)).toEqual(['approve', 'reject']))
})
