import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { leave, renderPart } from '@tributary/testing/web/render-app.tsx'
import { SecretField } from './choice-fields.tsx'
import { PasswordField, TextField } from './text-fields.tsx'
import { useForm } from './use-form.ts'

afterEach(leave)

function Example({ onValid = () => {} }: { onValid?: () => void }) {
  const form = useForm(
    { name: '', note: '', password: '', repeated: '' },
    { note: { isOptional: true }, repeated: { mustEqual: { name: 'password', placeholder: 'Password' } } },
  )
  return (
    <>
      <TextField field={form.bind('name')} label="Name" />
      <TextField field={form.bind('note')} label="Note" />
      <PasswordField field={form.bind('password')} label="Password" />
      <PasswordField field={form.bind('repeated')} label="Confirm password" />
      <button type="button" onClick={() => form.validate() && onValid()}>
        Save
      </button>
    </>
  )
}

test('[FORM-1] a field that is left empty says required', async () => {
  renderPart(<Example />)
  await userEvent.click(screen.getByLabelText('Name'))
  await userEvent.tab()
  expect(await screen.findByText('required')).toBeTruthy()
})

test('[FORM-1] the first keystroke that corrects a field clears its error', async () => {
  renderPart(<Example />)
  await userEvent.click(screen.getByLabelText('Name'))
  await userEvent.tab()
  await screen.findByText('required')
  await userEvent.type(screen.getByLabelText('Name'), 'A')
  expect(screen.queryByText('required')).toBeNull()
})

test('[FORM-1] an optional field may be left empty', async () => {
  renderPart(<Example />)
  await userEvent.click(screen.getByLabelText('Note'))
  await userEvent.tab()
  expect(screen.queryByText('required')).toBeNull()
})

test('[FORM-1] a field that must equal another names it in the error', async () => {
  renderPart(<Example />)
  await userEvent.type(screen.getByLabelText('Password'), 'secret-1')
  await userEvent.type(screen.getByLabelText('Confirm password'), 'secret-2')
  await userEvent.tab()
  expect(await screen.findByText('Does not match Password')).toBeTruthy()
})

test('[FORM-1] submit runs only if every field is valid, else the first invalid field is focused', async () => {
  const onValid = vi.fn()
  renderPart(<Example onValid={onValid} />)
  await userEvent.click(screen.getByText('Save'))
  expect(onValid).not.toHaveBeenCalled()
  expect(screen.getAllByText('required')).toHaveLength(3)
  expect(document.activeElement).toBe(screen.getByLabelText('Name'))

  await userEvent.type(screen.getByLabelText('Name'), 'Web shop')
  await userEvent.type(screen.getByLabelText('Password'), 'secret-1')
  await userEvent.type(screen.getByLabelText('Confirm password'), 'secret-1')
  await userEvent.click(screen.getByText('Save'))
  expect(onValid).toHaveBeenCalledOnce()
})

function Secret() {
  const form = useForm({ key: '***' }, {})
  return (
    <>
      <SecretField field={form.bind('key')} label="Key" mask="***" />
      <output>{String(form.values['key'])}</output>
    </>
  )
}

test('a stored secret stays until it is replaced, and can be kept again', async () => {
  renderPart(<Secret />)
  expect(screen.getByLabelText('Key')).toHaveProperty('readOnly', true)
  await userEvent.click(screen.getByRole('button', { name: 'Replace Key' }))
  await userEvent.type(screen.getByLabelText('Key'), 'new')
  expect(screen.getByRole('status').textContent).toBe('new')
  await userEvent.click(screen.getByRole('button', { name: 'Keep the stored one' }))
  expect(screen.getByRole('status').textContent).toBe('***')
})

function Named() {
  const form = useForm({ name: 'Bar' }, {})
  return (
    <>
      <TextField field={form.bind('name')} label="Name" />
      <button type="button" onClick={() => form.showErrors({ name: 'taken' })}>
        Save
      </button>
    </>
  )
}

test('an error from the server stays at the field until its value changes', async () => {
  renderPart(<Named />)
  await userEvent.click(screen.getByText('Save'))
  expect(document.activeElement).toBe(screen.getByLabelText('Name'))
  await userEvent.tab()
  expect(screen.getByText('taken')).toBeTruthy()
  await userEvent.type(screen.getByLabelText('Name'), 's')
  expect(screen.queryByText('taken')).toBeNull()
})
