import type { VerificationMethod } from '@tributary/contract/sign-in'

interface VerificationMethodTexts {
  readonly title: string
  readonly choose: string
  readonly text: (sentTo: string | null) => string
}

export const verificationMethodTexts: Readonly<Record<VerificationMethod, VerificationMethodTexts>> = {
  email: {
    title: 'Check your e-mail',
    choose: 'Use a code sent by e-mail',
    text: (sentTo) =>
      sentTo === null
        ? 'Let us send a code to your e-mail address, then enter its six digits here.'
        : `We sent a code to ${sentTo}. Enter its six digits here; it works for ten minutes.`,
  },
  totp: {
    title: 'Open your authenticator app',
    choose: 'Use the authenticator app',
    text: () => 'Enter the six digits that the app shows for Tributary now.',
  },
  passkey: {
    title: 'Use your passkey',
    choose: 'Use a passkey',
    text: () => 'Your browser asks for your fingerprint, face, PIN or security key.',
  },
  recovery: {
    title: 'Use a recovery code',
    choose: 'Use a recovery code',
    text: () => 'Enter one of the codes that you kept. Each works once.',
  },
}
