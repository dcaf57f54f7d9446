/** The provider's switches for the whole installation. */
import * as z from 'zod'
import { route } from './route.ts'

/** The settings of the whole installation, with the value that applies until one is changed. */
export const settings = {
  AllowSignUp: { initial: true, description: 'Strangers may sign up for an organisation of their own.' },
  RequireApproval: {
    initial: true,
    description: 'A new organisation waits for the provider’s approval. Joining one always asks its administrators.',
  },
  RequireMultiFactorAuthentication: {
    initial: false,
    description: 'Everyone needs a second factor to sign in.',
  },
  ExternalProviders: {
    initial: true,
    description: 'The sign-in and sign-up pages offer the external providers that are set up.',
  },
  ScheduledRuns: {
    initial: true,
    description: 'Connectors run by their schedules. Switched off, they run by hand only.',
  },
  KeepWithinAllowance: {
    initial: true,
    description:
      'When 95 % of a source’s daily calls are used, runs wait for the next day. Switched off, only the source itself refuses calls.',
  },
  ThinOutNearAllowance: {
    initial: false,
    description: 'From 80 % of a source’s daily calls on, its connectors run by schedule at most once an hour.',
  },
  RefuseManualNearAllowance: {
    initial: false,
    description:
      'From 80 % of a source’s daily calls on, people and programs cannot start runs of its connectors. Schedules continue.',
  },
  AccessTokens: {
    initial: true,
    description: 'People and service accounts may use access tokens. Switched off, all tokens stop working.',
  },
  Assistants: {
    initial: false,
    description: 'Organisations may let assistants read their data. Each organisation also has a switch of its own.',
  },
  MaintenanceMode: {
    initial: false,
    description: 'Only the provider can work. Everyone else sees a maintenance message.',
  },
} as const satisfies Record<string, { readonly initial: boolean; readonly description: string }>
export type SettingKey = keyof typeof settings

export const GlobalSetting = z.object({
  Key: z.string(),
  /** 'true' or 'false': JSON text. */
  Value: z.string(),
  Description: z.string(),
  Default: z.string(),
  ChangedAtUtc: z.string().nullable(),
  ChangedBy: z.string().nullable(),
})
export type GlobalSetting = z.infer<typeof GlobalSetting>

export const globalConfiguration = {
  list: route({
    method: 'GET',
    path: '/admin/globalconfiguration',
    summary: 'The provider’s switches.',
    allow: 'seeGlobalConfiguration',
    scope: 'none',
    reply: z.array(GlobalSetting),
    passive: true,
  }),
  save: route({
    method: 'POST',
    path: '/admin/globalconfiguration',
    summary: 'Turn one of the provider’s switches.',
    allow: 'seeGlobalConfiguration',
    scope: 'none',
    needsFreshProof: true,
    body: z.strictObject({
      key: z.enum(Object.keys(settings) as [SettingKey, ...SettingKey[]]),
      value: z.enum(['true', 'false']),
    }),
    reply: GlobalSetting,
  }),
} as const
