import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { answer, api } from '../api/client';
import { Problem } from '../api/problem';
import { sessionQuery } from '../api/session';
import { Button, buttonClass } from '../ui/button';
import { Loading } from '../ui/empty-state';
import { TextField } from '../ui/forms/field';
import { Notice, ProblemNotice } from '../ui/notice';

/** What somebody sees who is not signed in, whatever address they opened. */
export function SignIn() {
  const { data, error } = useQuery({
    queryKey: ['oidc-config'],
    queryFn: () => answer(api.GET('/api/v1/auth/oidc-config')),
  });
  return (
    <main className="border-line bg-panel mx-auto mt-[12vh] grid w-[min(24rem,calc(100vw-2rem))] gap-5 rounded-xl border p-8 shadow-sm">
      <img src="/console/mark.svg" alt="" className="size-12" />
      <div className="grid gap-1">
        <h1>Sign in to Tenantry</h1>
        <p className="text-quiet text-sm">Your services, databases and their logs, in one place.</p>
      </div>
      <ProblemNotice error={error} />
      {!data && !error ? <Loading what="the ways to sign in" /> : null}
      {data?.enabled && data.loginUrl ? (
        <a href={data.loginUrl} className={buttonClass('primary')}>
          Sign in
        </a>
      ) : null}
      {data && !data.enabled ? (
        <Notice tone="warn">
          No identity provider is configured. The operator sets OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET.
        </Notice>
      ) : null}
      {data?.legacyLoginEnabled ? <PasswordSignIn folded={data.enabled} /> : null}
    </main>
  );
}

/** For people whom the staff has given a password. */
function PasswordSignIn({ folded }: { folded: boolean }) {
  const client = useQueryClient();
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const login = useMutation({
    mutationFn: () => answer(api.POST('/api/v1/auth/login' as never, { body: { email, password } } as never)),
    onSuccess: () => client.invalidateQueries({ queryKey: sessionQuery.queryKey }),
  });
  const isRefused = login.error instanceof Problem && login.error.status === 401;
  return (
    <details open={!folded}>
      <summary className="text-quiet text-sm">Sign in with a password</summary>
      <form
        className="mt-3 grid gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          login.mutate();
        }}
      >
        <TextField label="E-mail" type="email" autoComplete="username" required value={email} onChange={setEmail} />
        <TextField
          label="Password"
          type="password"
          autoComplete="current-password"
          required
          value={password}
          onChange={setPassword}
        />
        {isRefused ? <Notice tone="bad">The e-mail address or the password is wrong.</Notice> : null}
        {isRefused ? null : <ProblemNotice error={login.error} />}
        <Button type="submit" look="primary" busy={login.isPending}>
          Sign in with a password
        </Button>
      </form>
    </details>
  );
}
