/** Routes for members, accounts and invitations. */
import { may } from '@tributary/contract/capabilities'
import {
  type ListedUser,
  organisations,
  type SeenUser,
  type User,
  type UserQuery,
} from '@tributary/contract/organisations'
import { users } from '@tributary/contract/users'
import type { Camel } from '@tributary/contract/wire'
import type { CallerContext } from '../../kernel/audit-context.ts'
import type { Actor } from '../../kernel/http/actor.ts'
import { setTotalCountHeader } from '../../kernel/http/bind.ts'
import type { AppRoutes, AppServices } from '../../app-services.ts'
import { ApiFault, requireFound } from '../../kernel/http/api-fault.ts'
import { type PageQuery, pageOf } from '../../kernel/http/paging.ts'
import type { Store } from '../../kernel/store/store.ts'
import { seenMemberFields } from '../../identity/people/members.ts'
import { changeUser } from './change-user.ts'
import { createUser } from './create-user.ts'
import { inviteUser, resendInvitation, withdrawInvitation } from './invitations.ts'
import { lockMember, requireAdministered, requireMember } from './lock-people.ts'
import { getInvitation, findUnattached, findUser, listInvitations, listUnattached, listUsers } from './queries.ts'
import { removeUser } from './remove-user.ts'

export function userRoutes(app: AppRoutes): void {
  memberRoutes(app)
  invitationRoutes(app)
}

function memberRoutes(app: AppRoutes): void {
  const { services } = app

  app.bind(organisations.users, async ({ store, organisationId, actor, query, reply }) => {
    const seenFields = seenMemberFields(actor)
    if (seenFields === 'names' && isFiltered(query)) throw new ApiFault('notAllowed')
    const filter = { ...query, seenFields, mode: services.config.mode }
    const { users: found, total } = await store.within(organisationId, (db) => listUsers(db, organisationId, filter))
    // Across: people without a membership belong to no organisation.
    const unattached =
      query.withProvider === true && actor.providerRole !== null
        ? await store.across((db) => listUnattached(db, filter))
        : []
    setTotalCountHeader(reply, total === null ? null : total + unattached.length)
    return [...found, ...followingPage(unattached, { total, ...query })].map((user) => redactListedUser(actor, user))
  })

  app.bind(users.create, async ({ store, auditContext, body }) => {
    const userId = await createUser(services, auditContext, body)
    return loadUser(store, auditContext, userId)
  })

  app.bind(users.update, async ({ store, auditContext, params: { userId }, body }) => {
    await changeUser(services, auditContext, userId, body)
    return loadUser(store, auditContext, userId)
  })

  app.bind(users.remove, ({ auditContext, params }) => removeUser(services, auditContext, params.userId))

  app.bind(users.signOutEverywhere, ({ auditContext, params }) =>
    signOutEverywhere(services, auditContext, params.userId),
  )
}

/** A filter would reveal fields that the reply leaves out. */
function isFiltered({ role, status, secondFactor, neverSignedIn }: UserQuery): boolean {
  return [role, status, secondFactor, neverSignedIn].some((value) => value !== undefined)
}

/** The part of a second list that is on the page, when it follows a first list of `total` rows. */
function followingPage<Row>(rows: readonly Row[], { total, ...query }: PageQuery & { readonly total: number | null }) {
  if (total === null) return rows
  const { limit, offset } = pageOf(query)
  return rows.slice(Math.max(0, offset - total), Math.max(0, offset + limit - total))
}

function invitationRoutes(app: AppRoutes): void {
  const { services } = app

  app.bind(users.invite, async ({ store, organisationId, auditContext, body }) => {
    const invitationId = await inviteUser(services, auditContext, body)
    return loadInvitation(store, organisationId, invitationId)
  })

  app.bindWithin(users.invitations, (db, { organisationId }) => listInvitations(db, organisationId))

  app.bind(users.resendInvitation, async ({ store, organisationId, auditContext, params: { invitationId } }) => {
    await resendInvitation(services, auditContext, invitationId)
    return loadInvitation(store, organisationId, invitationId)
  })

  app.bind(users.withdrawInvitation, ({ auditContext, params }) =>
    withdrawInvitation(services, auditContext, params.invitationId),
  )
}

async function signOutEverywhere(services: AppServices, auditContext: CallerContext, userId: string): Promise<void> {
  await requireMember(services, auditContext, userId)
  // Across: the permission depends on every organisation of the person.
  await services.store.across(async (db) => {
    requireAdministered(await lockMember(db, auditContext, userId))
    await services.sessions.endAll(db, userId, 'ended by an administrator')
    await services.audit.record(db, auditContext, {
      action: 'session.revoked_by_admin',
      object: { type: 'user', id: userId },
    })
  })
}

async function loadUser(store: Store, { actor, organisationId }: CallerContext, userId: string): Promise<Camel<User>> {
  const member = await store.within(organisationId, (db) => findUser(db, organisationId, userId))
  // Across: the provider's people without a membership belong to no organisation.
  const user =
    member ?? (actor.providerRole === null ? undefined : await store.across((db) => findUnattached(db, userId)))
  return redactUser(actor, requireFound(user))
}

function redactUser(actor: Actor, user: Camel<User>): Camel<User> {
  return may(actor.roleLevel, 'editMicrosoftId') ? user : { ...user, mS_Oid: null }
}

function redactListedUser(actor: Actor, user: Camel<ListedUser>): Camel<SeenUser> {
  const { id, firstName, lastName } = user
  return seenMemberFields(actor) === 'names' ? { id, firstName, lastName } : { ...user, ...redactUser(actor, user) }
}

function loadInvitation(store: Store, organisationId: string, invitationId: string) {
  return store.within(organisationId, (db) => getInvitation(db, organisationId, invitationId))
}
