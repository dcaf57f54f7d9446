/** An outsider with an auditor room in Harbour Trading, who has accepted the invitation. */
import { randomUUID } from 'node:crypto'
import { auditorRooms, type AuditorRoomExtent } from '@tributary/contract/auditor-rooms'
import { signUpRoutes } from '@tributary/contract/sign-up'
import { tieOut } from '@tributary/contract/tie-out'
import { TestClient } from '../app/client.ts'
import type { TestApp } from '../app/test-app.ts'

const password = 'an-auditors-own-1'
const dayMs = 86_400_000

export interface AuditorFixture {
  readonly client: TestClient
  readonly emailAddress: string
  readonly roomId: string
  readonly userId: string
}

export function roomExtent(app: TestApp, extent: Partial<AuditorRoomExtent>): AuditorRoomExtent {
  const endsAt = new Date(app.clock.now() + 30 * dayMs).toISOString()
  return { endsAt, connectorIds: [], markIds: [], periodFrom: null, periodTo: null, ...extent }
}

export async function addAuditor(app: TestApp, extent: Partial<AuditorRoomExtent>): Promise<AuditorFixture> {
  const emailAddress = `${randomUUID()}@auditors.example`
  const { status, body } = await app.as.admin.call(auditorRooms.create, {
    params: { clientId: app.harbour.id },
    body: { firstName: 'Avery', lastName: 'Auditor', emailAddress, ...roomExtent(app, extent) },
  })
  if (status !== 201) throw new Error(`The room was refused: ${JSON.stringify(body)}`)
  return { roomId: body.Id, ...(await acceptInvitation(app, emailAddress)) }
}

/** Accepts the latest invitation of a new person. */
export async function acceptInvitation(app: TestApp, emailAddress: string) {
  const mails = await app.emailsTo(emailAddress)
  const address = mails.findLast(({ template }) => template === 'invitation')?.action?.url ?? ''
  const body = { code: new URL(address).searchParams.get('code') ?? '', account: { password } }
  const accepted = await app.as.visitor.call(signUpRoutes.finalise, { body })
  if (accepted.status !== 200) throw new Error(`The invitation was refused: ${JSON.stringify(accepted.body)}`)
  // Across: a person belongs to no organisation.
  const { id: userId } = await app.store.across((db) =>
    db.selectFrom('portalUser').select('id').where('emailAddress', '=', emailAddress).executeTakeFirstOrThrow(),
  )
  const readCode = async () => (await app.emailsTo(emailAddress)).findLast(({ code }) => code !== undefined)?.code ?? ''
  return { client: new TestClient(app.http, { emailAddress, password }, readCode), emailAddress, userId }
}

/** Calls of rooms in Harbour Trading. @param app opened before the first test */
export function auditorCalls(app: () => TestApp) {
  const params = () => ({ clientId: app().harbour.id })
  return {
    own: (client: TestClient) => client.call(auditorRooms.own, { params: params() }),
    /** As an administrator sees it. */
    room: async (roomId: string) =>
      (await app().as.admin.call(auditorRooms.list, { params: params() })).body.find(({ Id }) => Id === roomId),
    latest: (client: TestClient, connectorId: string) =>
      client.call(tieOut.latest, { params: { ...params(), connectorId } }),
    end: (roomId: string) => app().as.admin.call(auditorRooms.end, { params: { ...params(), roomId } }),
  }
}
