import tseslint from 'typescript-eslint';
import prettier from 'eslint-config-prettier';

const noEnv = {
  object: 'process',
  property: 'env',
  message: 'Settings come from the typed configuration of the app (readEnv), never from process.env.',
};

export default tseslint.config(
  {
    ignores: [
      'dist',
      'node_modules',
      'coverage',
      'reports',
      'tools',
      'test/sdk/generated',
      'apps/console/src/api/schema.d.ts',
      '**/*.mjs',
      '**/*.cjs',
    ],
  },
  ...tseslint.configs.recommendedTypeChecked,
  {
    languageOptions: {
      parserOptions: { project: ['./tsconfig.eslint.json'], tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      // Nest resolves constructor parameters by emitted metadata: a type-only import would erase the class.
      '@typescript-eslint/consistent-type-imports': 'off',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      'no-restricted-properties': ['error', noEnv],
      eqeqeq: ['error', 'smart'],
      'max-lines': ['error', { max: 300, skipBlankLines: true, skipComments: true }],
    },
  },
  {
    files: ['libs/*/src/domain/**/*.ts', 'libs/*/src/application/**/*.ts'],
    ignores: ['**/*.spec.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        { selector: "NewExpression[callee.name='Date'][arguments.length=0]", message: 'Ask the injected Clock.' },
        {
          selector: "CallExpression[callee.object.name='Date'][callee.property.name='now']",
          message: 'Ask the injected Clock.',
        },
        {
          selector: "CallExpression[callee.object.name='Math'][callee.property.name='random']",
          message: 'Ask the injected Randomness.',
        },
        { selector: "CallExpression[callee.name='randomUUID']", message: 'Ask the injected Randomness.' },
        {
          selector:
            "CallExpression[callee.property.name='findOneBy'][arguments.0.type='ObjectExpression'][arguments.0.properties.length=0]",
          message: 'An empty where returns the first row of the table.',
        },
      ],
    },
  },
  {
    files: ['test/**/*.ts', 'bench/**/*.ts'],
    rules: {
      'no-restricted-properties': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      // The body of an answer is what the server says; the contract check is what types it.
      '@typescript-eslint/no-explicit-any': 'off',
    },
  },
  {
    files: ['apps/console/src/**/*.{ts,tsx}'],
    languageOptions: { parserOptions: { project: ['./apps/console/tsconfig.json'] } },
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            { group: ['#*', '**/libs/**', '**/panel-api/**'], message: 'The console knows the public API alone.' },
          ],
        },
      ],
      // An event handler may start work that nobody awaits.
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: { attributes: false } }],
    },
  },
  prettier,
);
