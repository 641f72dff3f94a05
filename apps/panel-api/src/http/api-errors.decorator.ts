import { applyDecorators } from '@nestjs/common';
import { ApiResponse } from '@nestjs/swagger';
import { panelErrorAnswer } from '../errors/panel-error-answer.js';

/** Declares the error answers of a route; each has the one error body. */
export function ApiErrors(...statuses: number[]): MethodDecorator {
  return applyDecorators(...[...new Set(statuses)].sort().map((status) => ApiResponse(panelErrorAnswer(status))));
}
