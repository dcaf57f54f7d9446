/** Managing people, for administrators: accounts, memberships, invitations, organisations. */
import * as z from 'zod'
import { EmailAddress } from './email.ts'
import { Id, OptionalId } from './id.ts'
import { Name, PersonName } from './name.ts'
import { Named, Person } from './named.ts'
import { Password } from './password.ts'
import { Organisation, User } from './organisations.ts'
import { route } from './route.ts'
import { ofClient, ofOrganisation } from './route-parts.ts'
import { organisationInBody } from './scope.ts'

const timeZone = z.string().min(1).max(60)

/** The object id in Microsoft Entra ID. */
const MicrosoftId = z.string().trim().max(100)

/** An invitation that has not been accepted yet. */
export const OpenInvitation = Person.extend({
  Role: Named,
  SentAtUtc: z.string(),
  ExpiresAtUtc: z.string(),
})
export type OpenInvitation = z.infer<typeof OpenInvitation>

export const NewUser = z.strictObject({
  firstName: PersonName,
  lastName: PersonName,
  emailAddress: EmailAddress,
  password: Password,
  roleId: Id,
  organisationId: OptionalId,
  /** Superadmin only; '' and null mean absent. */
  msId: MicrosoftId.nullish().transform((id) => (id === null || id === '' ? undefined : id)),
})
export type NewUser = z.infer<typeof NewUser>

/** Absent fields stay unchanged. */
export const UserChange = z.strictObject({
  firstName: PersonName.optional(),
  lastName: PersonName.optional(),
  emailAddress: EmailAddress.optional(),
  /** '' means unchanged. */
  password: Password.or(z.literal('')).optional(),
  roleId: OptionalId,
  organisationId: OptionalId,
  statusId: OptionalId,
  /** Superadmin only; '' removes it. Null, and '' from others, mean absent. */
  msId: MicrosoftId.nullish().transform((id) => id ?? undefined),
  requireMultiFactorAuthentication: z.boolean().optional(),
})
export type UserChange = Partial<z.infer<typeof UserChange>>

const ofMember = { allow: 'editUsers', ...ofOrganisation, params: z.strictObject({ userId: Id }) } as const
const ofInvitation = { allow: 'editUsers', ...ofOrganisation, params: z.strictObject({ invitationId: Id }) } as const

export const users = {
  create: route({
    method: 'POST',
    path: '/users',
    summary: 'Add a person with a password to the organisation and notify them by mail.',
    allow: 'editUsers',
    scope: organisationInBody,
    needsFreshProof: true,
    body: NewUser,
    status: 201,
    reply: User,
    faults: ['addressTaken', 'roleTooHigh', 'tooMany'],
  }),
  update: route({
    method: 'POST',
    path: '/users/:userId',
    summary:
      'Change a member. Name, address, password, status and MFA only of those whose every organisation the caller administers.',
    ...ofMember,
    scope: organisationInBody,
    needsFreshProof: true,
    body: UserChange,
    reply: User,
    faults: [
      'addressTaken',
      'auditorRole',
      'roleTooHigh',
      'lastAdmin',
      'ownRole',
      'memberElsewhere',
      'serviceAccount',
      'tooMany',
    ],
  }),
  remove: route({
    method: 'DELETE',
    path: '/users/:userId',
    summary: 'Take a member out of the organisation; who is then in none is deleted.',
    ...ofMember,
    needsFreshProof: true,
    faults: ['roleTooHigh', 'lastAdmin', 'ownRole'],
  }),
  signOutEverywhere: route({
    method: 'DELETE',
    path: '/users/:userId/sessions',
    summary: 'End every session of a member.',
    ...ofMember,
    faults: ['roleTooHigh', 'memberElsewhere'],
  }),
  invite: route({
    method: 'POST',
    path: '/invitations',
    summary: 'Invite a person by e-mail, with or without an account.',
    allow: 'editUsers',
    scope: organisationInBody,
    needsFreshProof: true,
    body: z.strictObject({
      firstName: PersonName,
      lastName: PersonName,
      emailAddress: EmailAddress,
      roleId: Id,
      organisationId: OptionalId,
    }),
    status: 201,
    reply: OpenInvitation,
    faults: ['alreadyMember', 'roleTooHigh', 'tooMany'],
  }),
  invitations: route({
    method: 'GET',
    path: '/invitations',
    tokenScopes: ['administer'],
    summary: 'Open invitations, newest first.',
    allow: 'editUsers',
    ...ofOrganisation,
    reply: z.array(OpenInvitation),
  }),
  resendInvitation: route({
    method: 'POST',
    path: '/invitations/:invitationId/send',
    summary: 'Send an invitation again; the former link stops working.',
    ...ofInvitation,
    reply: OpenInvitation,
    faults: ['tooMany'],
  }),
  withdrawInvitation: route({
    method: 'DELETE',
    path: '/invitations/:invitationId',
    tokenScopes: ['administer'],
    summary: 'Withdraw an invitation.',
    ...ofInvitation,
  }),
  createOrganisation: route({
    method: 'POST',
    path: '/organisations',
    summary: 'Make an organisation.',
    allow: 'manageOrganisations',
    scope: 'none',
    body: z.strictObject({ companyName: Name, timeZone: timeZone.optional() }),
    status: 201,
    reply: Organisation,
    faults: ['nameTaken'],
  }),
  updateOrganisation: route({
    method: 'POST',
    path: '/organisations/:clientId',
    summary: 'Rename an organisation, move it to another time zone, or ask its members for a second factor.',
    allow: 'editOrganisation',
    ...ofClient,
    needsFreshProof: true,
    body: z.strictObject({
      companyName: Name.optional(),
      timeZone: timeZone.optional(),
      requireMultiFactorAuthentication: z.boolean().optional(),
    }),
    reply: Organisation,
    faults: ['nameTaken'],
  }),
  archiveOrganisation: route({
    method: 'POST',
    path: '/organisations/:clientId/archive',
    summary:
      'Archive an organisation, or restore it. While it is archived it cannot be used and nothing runs; its data stays.',
    allow: 'manageOrganisations',
    ...ofClient,
    needsFreshProof: true,
    body: z.strictObject({ archived: z.boolean() }),
    reply: Organisation,
  }),
} as const
