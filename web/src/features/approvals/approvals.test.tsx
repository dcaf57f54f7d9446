import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { ana, everywhere, role } from '@tributary/testing/web/admin-samples.ts'
import { fakeServer } from '@tributary/testing/web/fake-server.ts'
import { leave, renderApp, signedInAs } from '@tributary/testing/web/render-app.tsx'

afterEach(leave)

const pending = {
  Id: '00000000-0000-4000-8000-000000000501',
  ApprovalType: 'JOIN_ORGANISATION',
  ApprovalStatus: 'PENDING',
  CreatedAtUtc: '2026-11-20T08:00:00Z',
  ApprovedAtUtc: null,
  ApprovedUser: null,
  ApprovalContext: '{"Description":"Ana Ruiz wants to join Harbour Trading."}',
}

test('[ADMIN-8] a card shows its type in lowercase and the description; decided requests show the approver and no buttons, unknown states an icon', async () => {
  signedInAs()
  fakeServer({
    ...everywhere,
    'GET /approvals': () => [
      pending,
      {
        ...pending,
        Id: ana.Id,
        ApprovalStatus: 'APPROVED',
        ApprovedAtUtc: '2026-11-20T09:00:00Z',
        ApprovedUser: 'Amara Okafor',
      },
      { ...pending, Id: role.Id, ApprovalStatus: 'ON_HOLD', ApprovalContext: 'nonsense' },
    ],
  })
  renderApp('/admin/approvals')
  const [waiting, decided, other] = await screen.findAllByRole('article', { name: 'join organisation' })
  expect(waiting?.textContent).toContain('Ana Ruiz wants to join Harbour Trading.')
  expect(
    within(waiting as HTMLElement)
      .getAllByRole('button')
      .map((button) => button.textContent),
  ).toEqual(['Approve', 'Reject'])
  expect(decided?.textContent).toContain('by Amara Okafor')
  expect(within(decided as HTMLElement).queryAllByRole('button')).toEqual([])
  expect(other?.textContent).toContain('ON_HOLD')
  expect(within(other as HTMLElement).queryAllByRole('button')).toEqual([])
})

test('[ADMIN-8] a decision is confirmed on its card, and the card keeps its position although the server lists it last', async () => {
  signedInAs()
  const context = (name: string) =>
    JSON.stringify({
      Description: `${name} asks to join Harbour Trading.`,
      ApplicantName: name,
      CompanyName: 'Harbour Trading',
    })
  const first = { ...pending, ApprovalContext: context('Ana Ruiz') }
  const second = { ...pending, Id: ana.Id, ApprovalContext: context('Ben Cole') }
  const approved = {
    ...first,
    ApprovalStatus: 'APPROVED',
    ApprovedAtUtc: '2026-11-20T09:00:00Z',
    ApprovedUser: 'Amara Okafor',
  }
  const bodies: unknown[] = []
  let lists = 0
  fakeServer({
    ...everywhere,
    'GET /approvals': () => {
      lists += 1
      return bodies.length === 0 ? [first, second] : [second, approved]
    },
    'POST /approvals': ({ body }) => {
      bodies.push(body)
      return approved
    },
  })
  renderApp('/admin/approvals')
  const card = (index: number) => screen.getAllByRole('article')[index] as HTMLElement
  await screen.findAllByRole('article')

  await userEvent.dblClick(within(card(0)).getByRole('button', { name: 'Approve' }))
  expect(card(0).textContent).toContain('Approve Ana Ruiz for Harbour Trading?')
  await userEvent.click(within(card(0)).getByRole('button', { name: 'Cancel' }))
  expect(document.activeElement).toBe(within(card(0)).getByRole('button', { name: 'Approve' }))
  expect(bodies).toEqual([])

  await userEvent.click(within(card(0)).getByRole('button', { name: 'Approve' }))
  const before = lists
  await userEvent.click(within(card(0)).getByRole('button', { name: 'Confirm' }))
  await waitFor(() => expect(lists).toBeGreaterThan(before))
  await waitFor(() => expect(card(0).textContent).toMatch(/APPROVED .* by Amara Okafor/))
  expect(within(card(0)).queryAllByRole('button')).toEqual([])
  expect(card(1).textContent).toContain('Ben Cole')
  expect(bodies).toEqual([{ approvalId: first.Id, approvalStatus: 'APPROVED' }])
})

test('[ADMIN-9] the signed link of an email applies its decision exactly once; an unsigned one asks for confirmation', async () => {
  signedInAs()
  const bodies: unknown[] = []
  fakeServer({
    ...everywhere,
    'GET /approvals': () => [pending],
    'POST /approvals': ({ body }) => {
      bodies.push(body)
      return {
        ...pending,
        ApprovalStatus: 'APPROVED',
        ApprovedAtUtc: '2026-11-20T09:00:00Z',
        ApprovedUser: 'Amara Okafor',
      }
    },
  })
  const { address } = renderApp(`/admin/approvals/${pending.Id}?status=APPROVED&signature=s1`)
  await waitFor(() => expect(bodies).toEqual([{ approvalId: pending.Id, approvalStatus: 'APPROVED', signature: 's1' }]))
  await waitFor(() => expect(address()).toBe('/admin/approvals'))
  leave()

  signedInAs()
  renderApp(`/admin/approvals/${pending.Id}?status=REJECTED`)
  const dialog = await screen.findByRole('dialog', { name: 'Reject this request?' })
  expect(bodies).toHaveLength(1)
  await userEvent.click(within(dialog).getByRole('button', { name: 'Reject' }))
  await waitFor(() => expect(bodies.at(-1)).toEqual({ approvalId: pending.Id, approvalStatus: 'REJECTED' }))
})
