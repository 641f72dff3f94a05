/** The accounts of the local identity provider. The key is the subject; the panel uses `roles`. */
export const ACCOUNTS = {
  'demo-admin': { name: 'Ada Admin', email: 'admin@demo.example', roles: ['admin'] },
  'demo-customer': { name: 'Carl Customer', email: 'customer@demo.example', roles: ['customer'] },
};

export const claimsOf = (id) => ({ sub: id, email_verified: true, ...ACCOUNTS[id] });
