"""A group of commands under one name, which prints its help when it is called alone."""

import typer


def command_group(purpose: str) -> typer.Typer:
    """Return an empty group; `purpose` is the first line of its help."""
    group = typer.Typer(
        no_args_is_help=False,
        invoke_without_command=True,
        rich_markup_mode=None,
        context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 80},
    )

    @group.callback(help=purpose)
    def show_help(context: typer.Context) -> None:
        if context.invoked_subcommand is None:
            typer.echo(context.get_help())

    return group
