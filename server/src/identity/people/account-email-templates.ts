/** Emails about accounts: sign-in, sign-up, passwords, invitations and approvals. */
import type { EmailContent } from '../../kernel/mail/email-content.ts'

export function signInCode(code: string): EmailContent {
  return {
    template: 'sign-in-code',
    subject: `${code} is your Tributary code`,
    paragraphs: ['Enter this code to continue. It works once, for ten minutes.'],
    code,
    footnote: 'If you did not ask for it, someone else knows your password: change it.',
  }
}

export function signInLink(url: string): EmailContent {
  return {
    template: 'sign-in-link',
    subject: 'Your link to sign in to Tributary',
    paragraphs: ['This link signs you in, once, within the next 15 minutes.'],
    action: { label: 'Sign in', url },
    footnote: 'If you did not ask for it, ignore this mail: nothing happens.',
  }
}

/** The code of a sign-up, sent again. */
export function signUpCode(code: string): EmailContent {
  return {
    template: 'sign-up-code',
    subject: `${code} is your Tributary code`,
    paragraphs: ['Enter this code to continue your sign-up. It works once, for ten minutes.'],
    code,
    footnote: 'If you did not sign up, ignore this mail: nothing happens.',
  }
}

export function newDevice({
  description,
  address,
  url,
}: {
  description: string
  address: string | null
  url: string
}): EmailContent {
  return {
    template: 'new-device',
    subject: 'New sign-in to your Tributary account',
    paragraphs: [
      `There was a sign-in to your account with a new browser: ${description}${address === null ? '' : `, from ${address}`}.`,
      'If it was you, you need not do anything. If not, set a new password now: that ends all sessions.',
    ],
    action: { label: 'Set a new password', url },
  }
}

/** After too many wrong passwords in a row, the owner can sign in by a link. */
export function signInBlocked(url: string): EmailContent {
  return {
    template: 'shut-out',
    subject: 'Someone keeps trying to sign in as you',
    paragraphs: [
      'There were a hundred wrong passwords in a row for your account, so passwords are no longer accepted from browsers that you have not used before.',
      'Sign in by a link once; after that your password works again.',
    ],
    action: { label: 'Sign in', url },
  }
}

export function confirmSignUp({
  firstName,
  code,
  url,
}: {
  firstName: string
  code: string
  url: string
}): EmailContent {
  return {
    template: 'confirm-sign-up',
    subject: 'Confirm your email address',
    paragraphs: [
      `Hello ${firstName},`,
      'confirm your address to continue your sign-up. The link works for 24 hours, the code for ten minutes.',
    ],
    code,
    action: { label: 'Confirm my address', url },
    footnote: 'If you did not sign up, ignore this mail: nothing happens.',
  }
}

/**
 * Sent to the owner of an address that was used for another sign-up. The API reply does not reveal that the account
 * exists.
 */
export function alreadyRegistered({ signInUrl, resetUrl }: { signInUrl: string; resetUrl: string }): EmailContent {
  return {
    template: 'already-registered',
    subject: 'You already have a Tributary account',
    paragraphs: [
      'Someone, probably you, tried to sign up with this address. It already has an account, so just sign in.',
      `Forgotten the password? Set a new one at ${resetUrl}`,
    ],
    action: { label: 'Sign in', url: signInUrl },
  }
}

export function approvalLinks({
  description,
  approveUrl,
  rejectUrl,
}: {
  description: string
  approveUrl: string
  rejectUrl: string
}): EmailContent {
  return {
    template: 'approval-wanted',
    subject: 'A request waits for your approval',
    paragraphs: [
      description,
      'Please decide within 24 hours: the applicant expects an answer by then.',
      `To reject it, open ${rejectUrl}`,
    ],
    action: { label: 'Approve', url: approveUrl },
    footnote: 'The links work for 72 hours, once, and only for you.',
  }
}

export function requestReceived({ firstName, companyName }: { firstName: string; companyName: string }): EmailContent {
  return {
    template: 'request-received',
    subject: 'Your request was sent',
    paragraphs: [`Hello ${firstName},`, `your request for ${companyName} was sent. You hear from us within 24 hours.`],
  }
}

export function welcome({
  firstName,
  companyName,
  url,
}: {
  firstName: string
  companyName: string
  url: string
}): EmailContent {
  return {
    template: 'welcome',
    subject: 'Welcome to Tributary',
    paragraphs: [
      `Hello ${firstName},`,
      `you can now work in ${companyName}.`,
      'The next steps: connect a system, choose where its data goes, and refresh it. Your tables are then a SQL query away.',
    ],
    action: { label: 'Sign in', url },
  }
}

interface RejectedRequest {
  readonly firstName: string
  readonly companyName: string
  /** What the person who decided wrote to the applicant. */
  readonly reason: string | null
}

export function requestRejected({ firstName, companyName, reason }: RejectedRequest): EmailContent {
  return {
    template: 'request-rejected',
    subject: 'Your request was not approved',
    paragraphs: [
      `Hello ${firstName},`,
      `your request for ${companyName} was not approved. Ask the people there if you think this is a mistake.`,
      ...(reason === null ? [] : [`The reason: ${reason}`]),
    ],
  }
}

export function resetPassword(url: string): EmailContent {
  return {
    template: 'reset-password',
    subject: 'Set a new password',
    paragraphs: ['Use this link to set a new password. It works once, for one hour.'],
    action: { label: 'Set a new password', url },
    footnote: 'If you did not ask for it, ignore this mail: your password stays as it is.',
  }
}

export function invitation({
  firstName,
  inviter,
  companyName,
  url,
}: {
  firstName: string
  inviter: string
  companyName: string
  url: string
}): EmailContent {
  return {
    template: 'invitation',
    subject: `${inviter} invites you to ${companyName}`,
    paragraphs: [
      `Hello ${firstName},`,
      `${inviter} invites you to work in ${companyName} on Tributary. The invitation holds for seven days.`,
    ],
    action: { label: 'Accept the invitation', url },
    footnote: 'If you do not know the sender, ignore this mail.',
  }
}

export function accountCreated({
  firstName,
  companyName,
  url,
}: {
  firstName: string
  companyName: string
  url: string
}): EmailContent {
  return {
    template: 'account-made',
    subject: 'Your Tributary account',
    paragraphs: [
      `Hello ${firstName},`,
      `an administrator of ${companyName} created an account for you. Ask them for the password, and change it in your profile.`,
    ],
    action: { label: 'Sign in', url },
  }
}

/** Sent by the operator of Tributary. @param what happened, in a sentence. */
export function setPassword({ what, url }: { what: string; url: string }): EmailContent {
  return {
    template: 'set-password',
    subject: 'Set your Tributary password',
    paragraphs: [what, 'Use this link to set your password. It works once, for one hour.'],
    action: { label: 'Set your password', url },
  }
}

/** Notifies the owner of a change to the account, in case another person made it. */
export function accountChanged({ what, url }: { what: string; url: string }): EmailContent {
  return {
    template: 'account-changed',
    subject: 'Your Tributary account was changed',
    paragraphs: [
      what,
      'If it was you, you need not do anything. If not, set a new password now and notify your administrator.',
    ],
    action: { label: 'Set a new password', url },
  }
}

/** @param provider the display name of the identity provider. */
export function accountLinked({ provider, url }: { provider: string; url: string }): EmailContent {
  const what = `Your account at ${provider} was linked: it can sign you in to Tributary from now on.`
  return accountChanged({ what, url })
}
