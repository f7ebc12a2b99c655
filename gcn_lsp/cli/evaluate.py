"""`gcn-lsp eval`: the result of one instruction on made-up registers."""

import click

from gcn_lsp.cli import completion, options
from gcn_lsp.cli.run import check_numpy


@click.command("eval")
@click.option(
    "--target",
    metavar="CPU",
    required=True,
    callback=options.parse_target,
    shell_complete=completion.complete_target,
    help="The target that executes it, such as gfx942.",
)
@click.option("--wave", type=click.Choice(("32", "64")), help="Lanes of the wave.  [default: what the target has]")
@click.option(
    "--lanes", metavar="N[-M]", default="0", show_default=True, help="The lanes to print of vector registers."
)
@click.argument("instruction")
@click.argument("registers", nargs=-1, metavar="[REGISTER=VALUE]...")
def evaluate(target: str, wave: "str | None", lanes: str, instruction: str, registers: tuple[str, ...]) -> None:
    """Execute one INSTRUCTION, in quotes, and print what it writes.

    Registers are 0 unless a value is given: v1=1.5, s[2:3]=0x100000000, v4=-1, exec=0xff, vcc=1, scc=1, mode=0x3f0. A
    number with a point is a float of the register's size; f16:1.5 and bf16:1.5 are shorter ones. A vector register has
    the value in every lane; v1=1,2,3 gives the first lanes their own.

    Exits with 2 if the line is no instruction of the target, or cannot be executed, otherwise with 0.
    """
    check_numpy()
    from gcn_lsp.machine import trial  # late: it needs numpy

    try:
        printed = trial.run(instruction, target, registers, int(wave or 0), lanes)
    except trial.WrongTrial as error:
        raise click.UsageError(str(error)) from error
    for line in printed:
        click.echo(line)
