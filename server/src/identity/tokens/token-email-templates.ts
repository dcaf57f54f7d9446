/** Emails about access tokens. */
import type { EmailContent } from '../../kernel/mail/email-content.ts'

interface TokenEmail {
  /** As its owner named it. */
  readonly name: string
  readonly companyName: string
  /** The page that lists the token. */
  readonly url: string
}

/** To the person who made it, so that a token made at an unlocked browser does not go unnoticed. */
export function tokenMade({ name, companyName, url, event }: TokenEmail & { event: 'made' | 'renewed' }): EmailContent {
  return {
    template: 'token-made',
    subject: `An access token for ${companyName} was ${event}`,
    paragraphs: [
      `The access token “${name}” for ${companyName} was ${event} with your account. A program that has it can work in your organisation until it expires or is revoked.`,
      'If it was you, you need not do anything. If not, revoke it, set a new password and notify your administrator.',
    ],
    action: { label: 'Show access tokens', url },
  }
}

/** Without the name of the assistant, which is the word of a stranger and could hold the address of a page. */
export function assistantAllowed({ companyName, url }: Pick<TokenEmail, 'companyName' | 'url'>): EmailContent {
  return {
    template: 'assistant-allowed',
    subject: `An assistant may read the data of ${companyName}`,
    paragraphs: [
      `An assistant was allowed with your account to read the data of ${companyName} that you may read. It is listed with your access tokens, and works until it is revoked, at most 90 days.`,
      'If it was you, you need not do anything. If not, revoke it, set a new password and notify your administrator.',
    ],
    action: { label: 'Show access tokens', url },
  }
}

export function tokenExpires({ name, companyName, url, at }: TokenEmail & { at: string }): EmailContent {
  return {
    template: 'token-expires',
    subject: `An access token for ${companyName} expires soon`,
    paragraphs: [
      `The access token “${name}” for ${companyName} expires on ${at}. Programs that use it stop working then.`,
      'Make a new one and enter it in these programs before. If it is no longer used, you need not do anything.',
    ],
    action: { label: 'Show access tokens', url },
  }
}
