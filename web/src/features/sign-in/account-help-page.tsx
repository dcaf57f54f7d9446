import { Link } from 'react-router'
import { paths } from '../../paths.ts'
import { AuthFrame } from './auth-frame.tsx'
import css from './auth.module.css'

export function SignUpHelpPage() {
  return (
    <AuthFrame title="Ask your administrator for an account">
      <p className="muted">
        Accounts here are made by the administrators of each organisation. Ask the person who looks after Tributary in yours; they need your
        name and your e-mail address.
      </p>
      <BackToSignIn />
    </AuthFrame>
  )
}

export function ResetHelpPage() {
  return (
    <AuthFrame title="Ask your administrator for a new password">
      <p className="muted">
        Passwords here are reset by the administrators of each organisation. Ask the person who looks after Tributary in yours. Nothing of
        your work is lost meanwhile.
      </p>
      <BackToSignIn />
    </AuthFrame>
  )
}

function BackToSignIn() {
  return (
    <p className={css.after}>
      <Link to={paths.signIn}>Back to sign in</Link>
    </p>
  )
}
