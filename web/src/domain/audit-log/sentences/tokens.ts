import type { AuditAction } from '@tributary/contract/audit-actions'
import { type ActionWording, detailList, detailText, thing, who } from './sentence.ts'

export type TokenAction = Extract<
  AuditAction,
  `api_token.${string}` | `assistant.${string}` | `assistants.${string}` | `service_account.${string}`
>

export const tokenWording: Readonly<Record<TokenAction, ActionWording>> = {
  'api_token.created': {
    label: 'Access token made',
    sentence: (event) => {
      const scopes = detailList(event, 'scopes')
      const owner = detailText(event, 'owner') === event.ActorId ? '' : ' for a service account'
      return `${who} made ${thing}${owner}${scopes.length === 0 ? '' : ` with the scopes ${scopes.join(', ')}`}`
    },
  },
  'api_token.policy_changed': {
    label: 'Access tokens switched on or off',
    sentence: (event) => `${who} switched access tokens ${detailText(event, 'after') === 'true' ? 'on' : 'off'}`,
  },
  'api_token.renewed': { label: 'Access token renewed', sentence: () => `${who} renewed ${thing}` },
  'api_token.revoked': { label: 'Access token revoked', sentence: () => `${who} revoked ${thing}` },
  'assistant.allowed': {
    label: 'Assistant allowed',
    sentence: (event) =>
      `${who} allowed ${thing} at ${detailText(event, 'redirectHost') ?? 'an unknown address'} the scopes ${detailList(event, 'scopes').join(', ')}`,
  },
  'assistant.connected': {
    label: 'Assistant connected',
    sentence: (event) => `${who} connected ${thing} with the scopes ${detailList(event, 'scopes').join(', ')}`,
  },
  'assistant.disconnected': {
    label: 'Assistant disconnected',
    sentence: () => `The connection of ${who} with ${thing} was ended by its program`,
  },
  'assistant.token_reuse': {
    label: 'Reuse of an assistant’s token',
    sentence: (event) =>
      `A used ${detailText(event, 'secret') === 'code' ? 'code' : 'refresh token'} of ${thing} was sent again, so its connection with ${who} ended`,
  },
  'assistants.source_switched': {
    label: 'Source opened to assistants or closed',
    sentence: (event) => {
      const terms = detailText(event, 'terms')
      const change = detailText(event, 'after') === 'true' ? 'opened' : 'closed'
      const confirmed = terms === undefined ? '' : ` and confirmed the ${terms}`
      return `${who} ${change} ${detailText(event, 'source') ?? 'a source'} to assistants${confirmed}`
    },
  },
  'assistants.switched': {
    label: 'Assistants switched on or off',
    sentence: (event) => `${who} switched assistants ${detailText(event, 'after') === 'true' ? 'on' : 'off'}`,
  },
  'assistants.tool_called': {
    label: 'Assistant called a tool',
    sentence: (event) => `An assistant of ${who} called the tool ${detailText(event, 'tool') ?? 'without a name'}`,
  },
  'service_account.created': {
    label: 'Service account added',
    sentence: (event) => `${who} added ${thing} with the role ${detailText(event, 'role') ?? 'user'}`,
  },
}
