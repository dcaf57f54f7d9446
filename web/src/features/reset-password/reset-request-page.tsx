import { ResetRequestForm } from './reset-request-form.tsx'
import { AuthPage, BackToSignIn } from '../../domain/sign-in/auth-page.tsx'

export function ResetRequestPage() {
  return (
    <AuthPage title="Reset your password">
      <ResetRequestForm text="Enter your e-mail address to get a link to set a new password." />
      <BackToSignIn />
    </AuthPage>
  )
}
